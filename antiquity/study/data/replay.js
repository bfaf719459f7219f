"use strict";
(async () => {
  const $ = (id) => document.getElementById(id);
  const el = (name, props = {}, ...children) => {
    const node = Object.assign(document.createElement(name), props);
    node.append(...children);
    return node;
  };
  const packed = Uint8Array.from(atob($("data").textContent.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const data = await new Response(stream).json();
  const last = data.steps.length - 1;
  const unseen = new Set(data.unseen), study = data.analysis;
  const colour = (seat) => `var(--p${seat % 8})`;
  const name = (seat) => (data.agents[seat] ? `seat ${seat}, ${data.agents[seat]}` : `seat ${seat}`);
  let step = 0, view = data.views[0], timer = null;

  $("about").textContent = [`${data.players} players`, data.seed && `seed ${data.seed}`, data.options].filter(Boolean).join(" · ");
  for (const each of data.views) $("view").append(el("option", { value: each, textContent: each === "all" ? "all open" : name(+each) }));
  if (data.branch) $("about").append(` · played on from ${data.branch}`);
  $("slider").max = last;

  const dark = matchMedia("(prefers-color-scheme: dark)");
  const remembered = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  let theme = remembered() ?? (dark.matches ? "dark" : "light");
  const paint = () => {
    document.documentElement.classList.toggle("dark", theme === "dark");
    const svg = $("table").querySelector("svg");
    if (svg) { svg.classList.remove("light", "dark"); svg.classList.add(theme); }
  };
  dark.addEventListener("change", () => { if (!remembered()) theme = dark.matches ? "dark" : "light"; paint(); });
  $("theme").onclick = () => {
    theme = theme === "dark" ? "light" : "dark";
    try { localStorage.setItem("theme", theme); } catch { /* kept for this visit alone */ }
    paint();
  };

  const room = () => data.rooms.filter((width) => width <= $("table").clientWidth).at(-1) ?? data.rooms[0];
  $("table").classList.toggle("fits", data.rooms[0] > 0);
  let drawn = 0;
  addEventListener("resize", () => { if (room() !== drawn) { frame(); paint(); } });
  function frame() {
    drawn = room();
    const text = data.frames[`${view} ${drawn}`][step].map((piece) => data.pieces[piece]).join("");
    if (data.drawn) $("table").innerHTML = text;
    else $("table").replaceChildren(el("pre", { textContent: text }));
    if (drawn) $("table").querySelector("svg").style.maxWidth = `${1.5 * drawn}px`;
  }

  function choices() {
    const here = data.steps[step];
    const part = data.headings[step] ? `${data.headings[step]} · ` : "";
    $("what").textContent = step < last ? `${part}decision ${step + 1} of ${last}` : data.end === "unfinished" ? "So far" : "The end";
    if (!here.length) {
      const best = Math.min(...data.ranks);
      const winners = data.ranks.flatMap((rank, seat) => (rank === best ? [name(seat)] : []));
      const words = data.end === "unfinished" ? "The game goes on here."
        : data.end === "truncated" ? "The game was cut off." : `${winners.length > 1 ? "Shared by" : "Won by"} ${winners.join(" and ")}.`;
      $("choices").replaceChildren(el("p", { textContent: words }));
      return;
    }
    $("choices").replaceChildren(...earlier(), ...here.map((choice) => {
      const own = view === "all" || +view === choice.seat;
      const late = !own && unseen.has(step);
      const box = el("div", { className: "choice" });
      const dot = el("span", { className: "dot" });
      dot.style.background = colour(choice.seat);
      box.append(el("div", { className: "who" }, dot, name(choice.seat)));
      box.append(el("span", { className: choice.illegal ? "chosen illegal" : "chosen", textContent: own ? choice.words : choice.open }));
      if (late) box.lastChild.replaceWith(el("span", { className: "muted", textContent: "not seen before the turn is over" }));
      if (own && choice.price) box.append(el("span", { className: "price", textContent: choice.price }));
      if (choice.illegal) box.append(el("span", { className: "muted", textContent: " illegal: the game is lost" }));
      const judged = own && judgement(step, choice.seat);
      if (judged) box.append(...verdict(judged));
      else if (own) {
        const list = choice.legal.map(([number, words, price]) =>
          el("li", { className: number === choice.action ? "taken" : "", textContent: price ? `${words}: ${price}` : words, title: `action ${number}` }));
        const details = el("details", {}, el("summary", { textContent: `${list.length} legal ${list.length === 1 ? "action" : "actions"}` }), el("ul", {}, ...list));
        details.open = here.length === 1 || view !== "all";
        box.append(details);
      }
      return box;
    }));
  }

  // What others chose unseen in earlier steps, and is revealed with the choices of this one.
  function earlier() {
    if (view === "all" || unseen.has(step)) return [];
    let first = step;
    while (unseen.has(first - 1)) first--;
    const found = data.steps.slice(first, step).flat().filter((choice) => choice.seat !== +view);
    return found.map((choice) => {
      const dot = el("span", { className: "dot" });
      dot.style.background = colour(choice.seat);
      const box = el("div", { className: "choice" }, el("div", { className: "who" }, dot, name(choice.seat)));
      box.append(el("span", { className: "chosen", textContent: choice.open }), el("span", { className: "muted", textContent: " earlier in this turn" }));
      return box;
    });
  }

  // The points at a step, as the seat in view can count them.
  const rowsAt = (k) => data.counts[data.points[view][k]];

  function points() {
    const rows = rowsAt(step);
    $("counted").textContent = view === "all" || data.counted || step === last && data.end === "terminated" ? ""
      : `As ${name(+view)} can count them: what it does not see of the others is left out.`;
    const head = el("tr", {}, el("th", { textContent: "" }), ...rows.map((_, seat) => {
      const dot = el("span", { className: "dot" });
      dot.style.background = colour(seat);
      return el("th", { title: name(seat) }, dot, String(seat));
    }));
    const body = data.columns.map((column, k) =>
      el("tr", { className: column === "total" ? "total" : "" }, el("td", { textContent: column.replaceAll("_", " ") }),
        ...rows.map((row) => column === "total" ? el("td", {}, el("b", { textContent: row[k] })) : el("td", { textContent: row[k] }))));
    $("points").replaceChildren(el("table", {}, el("thead", {}, head), el("tbody", {}, ...body)));
  }

  const W = 330, H = 190, L = 30, R = 8, T = 8, B = 22;
  const total = data.columns.indexOf("total");
  const x = (k) => L + (W - L - R) * (last ? k / last : 0);
  const svg = (tag, attributes, text) => {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    return node;
  };
  // Curves over the steps, a number or null for each seat; returns the line that marks the step in view.
  function curves(place, label, rows, low, high, words = (value) => value) {
    const y = (value) => T + (H - T - B) * (1 - (value - low) / (high - low));
    const chart = svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": label });
    const gap = [0.2, 1, 2, 5, 10, 20, 25, 50, 100, 200, 500, 1000].find((each) => (high - low) / each <= 5) ?? high - low;
    for (let value = Math.ceil(low / gap) * gap; value <= high + 1e-9; value += gap) {
      chart.append(svg("line", { x1: L, x2: W - R, y1: y(value), y2: y(value), style: "stroke: var(--line)" }));
      chart.append(svg("text", { x: L - 5, y: y(value) + 4, "text-anchor": "end" }, words(value)));
    }
    chart.append(svg("text", { x: L, y: H - 5 }, "0"), svg("text", { x: W - R, y: H - 5, "text-anchor": "end" }, `${last} decisions`));
    for (let seat = 0; seat < data.players; seat++) {
      if (rows[0][seat] === null) continue;
      const line = rows.map((row, k) => `${x(k).toFixed(1)},${y(row[seat]).toFixed(1)}`).join(" ");
      const node = svg("polyline", { points: line, fill: "none", "stroke-width": 2, style: `stroke: ${colour(seat)}` });
      node.append(svg("title", {}, name(seat)));
      chart.append(node);
    }
    const mark = svg("line", { y1: T, y2: H - B, "stroke-dasharray": "3 3", style: "stroke: var(--ink)" });
    chart.append(mark);
    chart.addEventListener("click", (event) => {
      const box = chart.getBoundingClientRect();
      go(Math.round(((((event.clientX - box.left) / box.width) * W - L) / (W - L - R)) * last));
    });
    place.replaceChildren(chart);
    return mark;
  }
  let charted = null, marks = [];
  function draw() {
    if (charted === view) return;
    charted = view;
    const totals = data.steps.map((_, k) => rowsAt(k).map((row) => row[total]));
    const low = totals.flat().reduce((a, b) => Math.min(a, b), 0), high = totals.flat().reduce((a, b) => Math.max(a, b), 1);
    marks = [curves($("chart"), "points of each seat over time", totals, low, high)];
    if (!study) return;
    const seen = study.chances.map((row) => row.map((chance, seat) => (view === "all" || +view === seat ? chance : null)));
    marks.push(curves($("chances"), "chance of each seat to win", seen, 0, 1, (value) => `${Math.round(100 * value)}%`));
    const lost = study.decisions.filter((each) => each.mistake && (view === "all" || +view === each.seat));
    lost.sort((a, b) => b.loss - a.loss);
    $("mistakes").replaceChildren(...lost.slice(0, 8).map((each) => {
      const words = (action) => each.options.find((option) => option.action === action).words;
      const link = el("a", { href: `#step=${each.step}&view=${view}`, textContent: `step ${each.step + 1}` });
      return el("li", {}, link, ` ${name(each.seat)}: ${words(each.played)}, not ${words(each.best)}: ${cost(each)}`);
    }));
    $("judged").textContent = `${lost.length ? "" : "None. "}Beside what ${study.agent} recommends, in ${study.simulations.toLocaleString("en")} simulations; `
      + "100 is a sure win by far, ± is a standard error, and only losses above two of them are named.";
  }

  // --- analysis ---
  const cost = (each) => `−${(100 * each.loss).toFixed(1)} ± ${(100 * each.error).toFixed(1)}`;
  const judgement = (k, seat) => study && $("analysis").checked
    && study.decisions.find((each) => each.step === k && each.seat === seat);
  function verdict(judged) {
    const rows = judged.options.map((option) => {
      const bar = el("span", { className: "bar" });
      bar.style.width = `${Math.round(60 * option.share)}px`;
      const marks = [option.action === judged.played ? "taken" : "", option.action === judged.best ? "best" : ""].join(" ");
      return el("tr", { className: marks },
        el("td", { textContent: option.words }),
        el("td", {}, bar, ` ${Math.round(100 * option.share)}%`),
        el("td", { textContent: `${(100 * option.value).toFixed(0)}`, title: `± ${(100 * option.error).toFixed(1)}` }));
    });
    const head = el("tr", {}, el("th", { textContent: "legal" }), el("th", { textContent: "share" }), el("th", { textContent: "worth" }));
    const table = el("div", { className: "scroll" }, el("table", { className: "verdict" }, el("thead", {}, head), el("tbody", {}, ...rows)));
    return judged.mistake ? [el("span", { className: "lost", textContent: ` ${cost(judged)}` }), table] : [table];
  }
  if (study) {
    $("analysed").hidden = false;
    $("analysis").onchange = () => show();
  }

  const decides = (k) => view === "all" || data.steps[k].some((choice) => choice.seat === +view);
  const following = () => { for (let k = step + 1; k <= last; k++) if (k === last || decides(k)) return k; return last; };

  function show() {
    frame(); choices(); points(); draw(); paint();
    $("slider").value = step;
    $("step").textContent = `${step} / ${last}`;
    $("onward").textContent = `antiquity play --resume FILE --step ${step} --seat ${view === "all" ? 0 : view}`;
    $("view").value = view;
    for (const mark of marks) { mark.setAttribute("x1", x(step)); mark.setAttribute("x2", x(step)); }
    for (const part of document.querySelectorAll(".analysis")) part.hidden = !study || !$("analysis").checked;
    $("first").disabled = $("back").disabled = step === 0;
    $("last").disabled = $("forward").disabled = $("next").disabled = step === last;
    try { history.replaceState(null, "", `#step=${step}&view=${view}`); } catch { /* an opaque origin keeps no history */ }
  }
  function go(k) { step = Math.max(0, Math.min(last, k)); show(); if (step === last) pause(); }
  function pause() { clearInterval(timer); timer = null; $("play").textContent = "▶ play"; }
  function run() {
    if (timer !== null) return pause();
    if (step === last) go(0);
    $("play").textContent = "❚❚ pause";
    timer = setInterval(() => go(step + 1), +$("speed").value);
  }
  function locate() {
    const hash = new URLSearchParams(location.hash.slice(1));
    if (data.views.includes(hash.get("view"))) view = hash.get("view");
    const asked = Number(hash.get("step"));
    go(Number.isInteger(asked) ? asked : 0);
  }
  $("first").onclick = () => go(0);
  $("back").onclick = () => go(step - 1);
  $("forward").onclick = () => go(step + 1);
  $("last").onclick = () => go(last);
  $("next").onclick = () => go(following());
  $("play").onclick = run;
  $("slider").oninput = () => go(+$("slider").value);
  $("view").onchange = () => { view = $("view").value; show(); };
  $("speed").onchange = () => { if (timer !== null) { pause(); run(); } };
  addEventListener("hashchange", locate);
  addEventListener("keydown", (event) => {
    if (event.target.closest("select, input, summary") || event.ctrlKey || event.metaKey || event.altKey) return;
    const keys = { ArrowLeft: () => go(step - 1), ArrowRight: () => go(step + 1), Home: () => go(0), End: () => go(last),
      n: () => go(following()), " ": run };
    if (event.key === " " && event.target.closest("button")) return;
    if (keys[event.key]) { event.preventDefault(); keys[event.key](); }
  });
  locate();
  document.body.dataset.ready = "yes";
})();
