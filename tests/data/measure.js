(({ LETTERS, TARGET }) => {
  const shown = (node) =>
    node.getClientRects().length && getComputedStyle(node).visibility === "visible" && !node.closest(".unseen, title");
  const words = (node) => node.textContent.trim().slice(0, 40);
  const texts = [], small = [], overlaps = [], targets = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode, parent = node.parentElement;
    if (!node.data.trim() || !shown(parent) || parent.closest("script, style, noscript, option")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const drawing = parent.closest("svg");
    const scale = drawing ? drawing.getBoundingClientRect().width / drawing.viewBox.baseVal.width : 1;
    const size = parseFloat(getComputedStyle(parent).fontSize) * scale;
    if (size < LETTERS - 0.05) small.push(`${words(node)}: ${size.toFixed(1)}`);
    if (drawing && drawing.closest("#table")) texts.push([parent.getBoundingClientRect(), node.data, size]);
  }
  for (let a = 0; a < texts.length; a++) for (let b = a + 1; b < texts.length; b++) {
    const [p, q] = [texts[a][0], texts[b][0]];
    // Lines of letters, without the empty room above and below them in their boxes.
    const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
    const tall = Math.min(p.bottom - p.height / 4, q.bottom - q.height / 4)
      - Math.max(p.top + p.height / 4, q.top + q.height / 4);
    if (wide > 2 && tall > 1) overlaps.push(`${texts[a][1]} / ${texts[b][1]}`);
  }
  for (const node of document.querySelectorAll('button, a, select, summary, label, [role="button"]')) {
    if (!shown(node)) continue;
    const box = node.getBoundingClientRect();
    if (Math.min(box.width, box.height) < TARGET - 0.5)
      targets.push(`${words(node)}: ${box.width.toFixed(0)} x ${box.height.toFixed(0)}`);
  }
  const frame = document.getElementById("table");
  return { small, overlaps, targets, wide: document.documentElement.scrollWidth - innerWidth, table: frame.scrollWidth - frame.clientWidth };
})
