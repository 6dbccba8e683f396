/** Runs of the program, and what their recordings hold, read without it. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import h5wasm, { Dataset, File } from 'h5wasm/node';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
export const SCREENSHOTS = join(ROOT, 'build', 'screenshots');

export function program(): string {
  const path = process.env.TIPPE_PROGRAM ?? join(ROOT, 'build', 'release', 'src', 'tippe');
  if (!existsSync(path)) throw new Error(`${path} is missing: build the program first, or name it in TIPPE_PROGRAM`);
  return path;
}

/** A folder for results that is gone at the end. */
export class Folder {
  readonly path = mkdtempSync(join(tmpdir(), 'tippe-browser-'));

  at(name: string): string {
    return join(this.path, name);
  }
  remove(): void {
    rmSync(this.path, { recursive: true, force: true });
  }
  /** Runs a scene to its end; NAME.h5 and NAME.html lie here afterwards. */
  run(scene: string, ...options: string[]): void {
    this.runFile(sceneFile(scene), ...options);
  }
  runFile(file: string, ...options: string[]): void {
    execFileSync(program(), ['run', file, '--quiet', ...options], { cwd: this.path });
  }
  compare(...args: string[]): void {
    execFileSync(program(), ['compare', ...args, '--quiet'], { cwd: this.path });
  }
  start(...args: string[]): ChildProcess {
    return spawn(program(), args, { cwd: this.path, stdio: ['ignore', 'pipe', 'inherit'] });
  }
}

export const sceneFile = (scene: string): string => join(ROOT, 'scenes', `${scene}.toml`);

/** A recording, read by a reader of HDF5 that is not ours. */
export class Recording {
  readonly #file: File;

  private constructor(file: File) {
    this.#file = file;
  }

  static async open(path: string): Promise<Recording> {
    await h5wasm.ready;
    return new Recording(new File(path, 'r'));
  }

  column(name: string): Float64Array {
    return this.#dataset(name).value as Float64Array;
  }

  /** A column of a table by the name that the recording gives it. */
  named(table: string, name: string): Float64Array {
    const names = this.#dataset(`${table}_names`).value as string[];
    const k = names.indexOf(name);
    if (k < 0) throw new Error(`${table} has no column ${name}, but ${names.join(', ')}`);
    const values = this.column(table);
    return Float64Array.from({ length: values.length / names.length }, (_, row) => values[row * names.length + k]);
  }

  #dataset(name: string): Dataset {
    const found = this.#file.get(name);
    if (!(found instanceof Dataset)) throw new Error(`the recording has no dataset ${name}`);
    return found;
  }

  close(): void {
    this.#file.close();
  }
}
