import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const page = readFileSync(new URL('../dist/report.html', import.meta.url), 'utf8');
const element = '<script id="tippe-data" type="application/json">/*TIPPE-DATA*/null</script>';

describe('the built page', () => {
  it('holds the placeholder exactly once, in its element', () => {
    expect(page.split('/*TIPPE-DATA*/null').length - 1).toBe(1);
    expect(page).toContain(element);
  });
  it('holds the data before the script that reads them', () => {
    expect(page.indexOf(element)).toBeLessThan(page.indexOf('<script type="module">'));
  });
  it('loads nothing', () => {
    expect(page).not.toMatch(/<script[^>]*\ssrc=/);
    expect(page).not.toMatch(/<link\b/);
    expect(page).not.toMatch(/\burl\(|@import|XMLHttpRequest|\bimport\(/);
  });
  it('asks for data only where it is served, at a single place', () => {
    expect(page.match(/\bfetch\(/g)).toHaveLength(1);
  });
  it.each(['three', 'uplot'])('keeps the notice of %s', (name) => {
    const licence = readFileSync(new URL(`../node_modules/${name}/LICENSE`, import.meta.url), 'utf8').trim();
    expect(licence).toMatch(/^Copyright/m);
    expect(page).toContain(`This page contains ${name}:\n\n${licence}`);
  });
});
