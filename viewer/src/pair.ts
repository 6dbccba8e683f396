/** Which two runs the replay draws over each other. */
import type { Replay } from './replay';

export interface Pair {
  /** Places among the replays. */
  solid: number;
  /** Null for none. */
  ghost: number | null;
}

/** Keeps what was chosen as far as those runs are shown, and otherwise takes the first that are. */
export function choosePair(replays: readonly Pick<Replay, 'run'>[], isShown: (run: number) => boolean, chosen: Pair | null): Pair {
  const shown = replays.flatMap((replay, i) => (isShown(replay.run) ? [i] : []));
  const solid = chosen !== null && shown.includes(chosen.solid) ? chosen.solid : (shown[0] ?? 0);
  const others = shown.filter((i) => i !== solid);
  if (chosen !== null && chosen.ghost === null) return { solid, ghost: null };
  const ghost = chosen !== null && others.includes(chosen.ghost!) ? chosen.ghost : (others[0] ?? null);
  return { solid, ghost };
}
