/** Reads the data in the page and shows them. */
import 'uplot/dist/uPlot.min.css';
import './style.css';
import './replay.css';
import { checkReport, parseDocument } from './data';
import { element } from './dom';
import { notice } from './header';
import { followLive, isServed } from './live';
import { unpack } from './packed';
import { Page } from './page';

async function main(): Promise<void> {
  const root = document.getElementById('report')!;
  root.replaceChildren();
  const page = new Page(root);
  offerHandle(page);
  try {
    const source = document.getElementById('tippe-data');
    const data = parseDocument(source?.textContent ?? '');
    source?.replaceChildren(); // a large document need not stay in memory as text
    if (data === null) {
      root.append(notice('This page holds no run.', 'Tippe fills it with the results when it writes a report. Open that report to see the plots.'));
    } else if (isServed(data)) {
      root.append(notice('Waiting for the run.'));
      void followLive(liveHost(root, page));
    } else {
      page.show(checkReport(await unpack(data)));
    }
  } catch (error) {
    root.replaceChildren(notice('This report cannot be shown.', (error as Error).message));
  }
}

function liveHost(root: HTMLElement, page: Page) {
  let isPressed = false;
  window.addEventListener('pointerdown', () => (isPressed = true));
  for (const type of ['pointerup', 'pointercancel']) window.addEventListener(type, () => (isPressed = false));
  const banner = element('div', { class: 'banner lost', role: 'alert' });
  const isTyping = () => document.activeElement?.matches('input[type="number"], select') ?? false;
  return {
    fetchJson: async (name: string): Promise<unknown> => {
      const response = await fetch(name, { cache: 'no-store' });
      if (!response.ok) throw new Error(`${name}: ${response.status}`);
      return response.json();
    },
    wait: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
    now: () => performance.now(),
    isCalm: () => !isPressed && !isTyping(),
    show: (report: Parameters<Page['show']>[0]) => page.show(report),
    complain: (sentence: string | null) => {
      banner.remove();
      if (sentence === null) return;
      banner.textContent = sentence;
      if (page.view === null) root.replaceChildren(notice('This run cannot be shown.', sentence));
      else root.prepend(banner);
    },
  };
}

/** For tests in a browser, and for curious readers at the console. */
function offerHandle(page: Page): void {
  Object.defineProperty(window, 'tippe', {
    value: {
      get view() {
        return page.view;
      },
      get player() {
        return page.replay?.player ?? null;
      },
      get stage() {
        return page.replay?.stage ?? null;
      },
    },
  });
}

void main();
