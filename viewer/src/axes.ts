/** The look of the axes, the same for time plots and phase plots. */
import uPlot from 'uplot';
import { powerOfTen, tickLabels } from './format';
import { niceTicks } from './ticks';
import { decadeTicks } from './logscale';
import { FONT_FAMILY, theme } from './theme';
import { unitText } from './units';

/** One width for all vertical axes, so that the time axes of all plots line up. */
const VERTICAL_AXIS_WIDTH = 52;
const TICK_LABELS_HEIGHT = 22;
const TITLE_SIZE = 17;

/** Room below a plot for tick labels and the name of the axis. */
export const HORIZONTAL_AXIS_HEIGHT = TICK_LABELS_HEIGHT + TITLE_SIZE;

const FONT = `11px ${FONT_FAMILY}`;
const DIGIT_WIDTH = 6.6;
const LOG_TICK_SPACING = 18;

export const RIGHT_PADDING = 18;

/** What the tick labels of an axis leave out, and their unit; filled when labels are made, drawn after the plot. */
export interface AxisNote {
  text: string;
  unit?: string;
}

function noteText({ text, unit = '' }: AxisNote): string {
  return [text, unitText(unit)].filter((part) => part !== '').join(' ');
}

export function linearAxis(side: 'left' | 'bottom', note: AxisNote, mostDigits: number, title = ''): uPlot.Axis {
  return {
    ...commonAxis(side, title),
    splits: (plot, _axis, min, max) => (side === 'bottom' ? niceTicks(min, max, plot.bbox.width / devicePixelRatio, 76, 40) : niceTicks(min, max, plot.bbox.height / devicePixelRatio, 26, 11)),
    filter: (_plot, ticks) => ticks,
    values: (plot, ticks) => {
      const { labels, note: text } = tickLabels(ticks, mostDigits);
      note.text = text;
      if (side === 'bottom') dropClippedLabel(plot, ticks, labels);
      return labels;
    },
  };
}

/** The label of a tick close to the right edge of a plot may be wider than the room beside it. */
function dropClippedLabel(plot: uPlot, ticks: number[], labels: string[]): void {
  const end = ticks.length - 1;
  const { min, max } = plot.scales.x;
  if (end < 1 || min == null || max == null) return;
  const plotWidth = plot.width - VERTICAL_AXIS_WIDTH - RIGHT_PADDING;
  const room = RIGHT_PADDING + ((max - ticks[end]) / (max - min)) * plotWidth;
  if ((labels[end].length * DIGIT_WIDTH) / 2 > room) labels[end] = '';
}

/** Grid lines only, where a plot below carries the labels. */
export function unlabelledTimeAxis(): uPlot.Axis {
  return { ...commonAxis('bottom', ''), space: 76, size: 5, ticks: { show: false }, values: (_plot, ticks) => ticks.map(() => '') };
}

/** The frame and the width of a vertical axis without a scale. */
export function bareAxis(): uPlot.Axis {
  return { ...commonAxis('left', ''), grid: { show: false }, ticks: { show: false }, splits: () => [], values: () => [] };
}

export function logAxis(): uPlot.Axis {
  return {
    ...commonAxis('left', ''),
    splits: (plot, _axis, min, max) => decadeTicks(min, max, plot.bbox.height / devicePixelRatio / LOG_TICK_SPACING),
    filter: (_plot, ticks) => ticks,
    values: (_plot, ticks) => ticks.map((tick) => powerOfTen(Math.round(Math.log10(tick)))),
  };
}

function commonAxis(side: 'left' | 'bottom', title: string): uPlot.Axis {
  const isBottom = side === 'bottom';
  return {
    side: isBottom ? 2 : 3,
    scale: isBottom ? 'x' : 'y',
    font: FONT,
    stroke: () => theme().text,
    gap: 3,
    size: isBottom ? TICK_LABELS_HEIGHT : VERTICAL_AXIS_WIDTH,
    ...(title === '' ? {} : { label: title, labelSize: TITLE_SIZE, labelFont: FONT, labelGap: 0 }),
    grid: { stroke: () => theme().grid, width: 1 },
    ticks: { stroke: () => theme().axis, width: 1, size: 4 },
    border: { show: true, stroke: () => theme().axis, width: 1 },
  };
}

/** Writes the notes into the free corners: the vertical one above its axis, the other at the right end. */
export function drawNotes(plot: uPlot, vertical: AxisNote, horizontal: AxisNote): void {
  const { ctx: context, bbox } = plot;
  context.save();
  context.font = FONT.replace('11px', `${Math.round(11 * devicePixelRatio)}px`);
  context.fillStyle = theme().text;
  const [above, beside] = [noteText(vertical), noteText(horizontal)];
  if (above !== '') {
    context.textAlign = 'left';
    context.textBaseline = 'bottom';
    context.fillText(above, 2 * devicePixelRatio, bbox.top - 6 * devicePixelRatio);
  }
  if (beside !== '') {
    context.textAlign = 'right';
    context.textBaseline = 'bottom';
    context.fillText(beside, bbox.left + bbox.width - 3 * devicePixelRatio, bbox.top + bbox.height - 3 * devicePixelRatio);
  }
  context.restore();
}
