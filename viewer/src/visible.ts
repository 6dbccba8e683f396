/** Work that only matters while it is seen: a page may hold a hundred plots, and the cursor moves in all of them. */

/**
 * Returns a function that does the work at once while the node is in the window, and otherwise when
 * it comes back into it.
 */
export function whileInSight(node: Element, work: () => void): () => void {
  let inSight = true; // until the observer knows better
  let isStale = false;
  new IntersectionObserver((entries) => {
    inSight = entries[entries.length - 1].isIntersecting;
    if (inSight && isStale) {
      isStale = false;
      work();
    }
  }).observe(node);
  return () => {
    if (inSight) work();
    else isStale = true;
  };
}
