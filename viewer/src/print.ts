/**
 * Prepares the canvases for paper. The style sheet lays the page out narrow and light while the
 * root element is marked, and the plots are drawn again for that before the browser takes its copy.
 */
import { refreshTheme } from './theme';

export function fitForPrinting(buildAll: () => void, fitAll: () => void): void {
  const root = document.documentElement;
  window.addEventListener('beforeprint', () => {
    root.dataset.printing = '';
    buildAll();
    refreshTheme();
    fitAll();
  });
  window.addEventListener('afterprint', () => {
    delete root.dataset.printing;
    refreshTheme();
    fitAll();
  });
}
