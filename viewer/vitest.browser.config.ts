import { defineConfig } from 'vitest/config';

/** The page in a real browser, with runs of the real program: `npm run test:browser`. */
export default defineConfig({
  test: {
    environment: 'node',
    include: ['tests/browser/*.browser.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    fileParallelism: false,
  },
});
