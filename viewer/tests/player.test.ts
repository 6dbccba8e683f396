import { describe, expect, it } from 'vitest';
import { comfortableSpeed, drive, Player, speedLadder } from '../src/player';

/** An impact at 2: samples 2 and 3 have the same time. */
const TIMES = Float64Array.of(0, 1, 2, 2, 3, 10);

function playerAt(sample: number): Player {
  const player = new Player(TIMES);
  player.show(sample);
  return player;
}

describe('single steps', () => {
  it('reach both samples of an impact, in both directions', () => {
    const player = playerAt(1);
    const samples = [];
    for (const direction of [1, 1, 1, -1, -1, -1]) {
      player.step(direction);
      samples.push(player.sample);
    }
    expect(samples).toEqual([2, 3, 4, 3, 2, 1]);
  });
  it('stay within the run', () => {
    const player = playerAt(0);
    player.step(-1);
    expect(player.sample).toBe(0);
    player.toEnd();
    player.step(1);
    expect(player.sample).toBe(5);
  });
  it('stop the clock', () => {
    const player = playerAt(0);
    player.play();
    player.step(1);
    expect(player.playing).toBe(false);
  });
});

describe('seeking', () => {
  it('goes to the nearest sample and rests there', () => {
    const player = playerAt(0);
    player.seek(0.6);
    expect([player.sample, player.time, player.alpha]).toEqual([1, 1, 0]);
    player.seek(-5);
    expect(player.sample).toBe(0);
    player.seek(99);
    expect(player.sample).toBe(5);
  });
});

describe('playing', () => {
  it('moves by the speed and between samples', () => {
    const player = playerAt(0);
    player.setSpeed(0.5);
    player.play();
    player.advance(0.5);
    expect([player.sample, player.alpha]).toEqual([0, 0.25]);
    player.advance(2);
    expect([player.sample, player.alpha]).toEqual([1, 0.25]);
  });
  it('shows the state after an impact from its time on', () => {
    const player = playerAt(1);
    player.play();
    player.advance(1);
    expect([player.sample, player.alpha]).toEqual([3, 0]);
    player.advance(0.5);
    expect([player.sample, player.alpha]).toEqual([3, 0.5]);
  });
  it('has nothing between the two samples of an impact', () => {
    const player = playerAt(2);
    player.play();
    expect(player.alpha).toBe(0);
  });
  it('rests on the nearest sample when paused', () => {
    const player = playerAt(0);
    player.play();
    player.advance(0.75);
    player.pause();
    expect([player.sample, player.time, player.alpha]).toEqual([1, 1, 0]);
  });
  it('stops at the end, and begins anew from there', () => {
    const player = playerAt(4);
    player.play();
    player.advance(100);
    expect([player.sample, player.playing]).toEqual([5, false]);
    player.play();
    expect([player.sample, player.playing]).toEqual([0, true]);
  });
  it('loops on demand, without losing time', () => {
    const player = playerAt(4); // t = 3, of a run of 10
    player.setLoop(true);
    player.play();
    player.advance(8.5);
    expect(player.time).toBeCloseTo(1.5, 12);
    expect(player.playing).toBe(true);
  });
  it('does nothing with a single sample', () => {
    const player = new Player(Float64Array.of(4));
    player.play();
    player.advance(1);
    expect([player.sample, player.playing, player.alpha]).toEqual([0, false, 0]);
  });
});

describe('a growing recording', () => {
  const LONGER = Float64Array.of(...TIMES, 11, 12);
  it('is followed at its end', () => {
    const player = playerAt(5);
    player.extend(LONGER);
    expect(player.sample).toBe(7);
  });
  it('is not followed from elsewhere', () => {
    const player = playerAt(3);
    player.extend(LONGER);
    expect(player.sample).toBe(3);
  });
  it('may be replaced by a shorter one, at rest and while playing', () => {
    const shorter = Float64Array.of(0, 1, 2);
    for (const isPlaying of [false, true]) {
      const player = playerAt(4);
      if (isPlaying) player.play();
      player.extend(shorter);
      expect([player.sample, player.time]).toEqual([2, 2]);
    }
  });
  it('keeps a speed that was chosen', () => {
    const player = playerAt(3);
    player.setSpeed(0.1);
    player.extend(LONGER);
    expect(player.speed).toBe(0.1);
  });
});

describe('speed', () => {
  it.each([
    [10, 1],
    [2, 1],
    [30, 1],
    [0.5, 0.05], // the woodpecker: 10 s
    [0.001, 0.0001],
    [1, 0.1],
    [300, 20], // 15 s; 50 would be 6 s
    [0, 1],
  ])('of a run of %d s is %d times real time', (duration, speed) => {
    expect(comfortableSpeed(duration)).toBe(speed);
  });
  it('lets every run take 5 to 20 s, or real time between 2 and 30 s', () => {
    for (let duration = 1e-6; duration < 1e6; duration *= 1.37) {
      const seconds = duration / comfortableSpeed(duration);
      expect(seconds).toBeGreaterThanOrEqual(2);
      expect(seconds).toBeLessThanOrEqual(30);
    }
  });
  it('has rungs 1, 2, 5 from 0.01 to 10 at least', () => {
    const ladder = speedLadder(1);
    expect(ladder[0]).toBe(0.01);
    expect(ladder[ladder.length - 1]).toBe(100);
    expect(ladder).toContain(0.05);
    expect(ladder).toContain(10);
  });
  it('climbs by rungs and ends at the last', () => {
    const player = playerAt(0);
    player.faster();
    expect(player.speed).toBe(2);
    for (let k = 0; k < 30; k++) player.slower();
    expect(player.speed).toBe(0.01);
  });
});

describe('drive', () => {
  it('advances by the time between frames while playing, and waits for none at rest', () => {
    const frames: ((now: number) => void)[] = [];
    const player = playerAt(0);
    drive(player, (frame) => frames.push(frame));
    expect(frames.length).toBe(0);
    player.play();
    frames.shift()!(1000);
    expect(player.time).toBe(0);
    frames.shift()!(1100);
    expect(player.time).toBeCloseTo(0.1, 12);
    frames.shift()!(61100); // the window was hidden for a minute
    expect(player.time).toBeCloseTo(0.35, 12);
    player.pause();
    frames.shift()!(61200);
    expect(frames.length).toBe(0);
  });
});
