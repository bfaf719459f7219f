"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const el = (name, props = {}, ...children) => {
    const node = Object.assign(document.createElement(name), props);
    node.append(...children);
    return node;
  };
  let state = null, busy = false;
  const name = (seat) => (seat === state.seat ? "you" : `seat ${seat}, ${state.names[seat]}`);
  const dot = (seat) => {
    const node = el("span", { className: "dot" });
    node.style.background = `var(--p${seat % 8})`;
    return node;
  };

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

  const tell = (text) => { $("message").textContent = text; $("message").hidden = !text; };
  let opener = null;
  const closeMenu = () => { $("menu").hidden = true; opener = null; };

  // Where it is wished a choice is confirmed by a second one.
  let meant = null;
  function decide(action, words) {
    if (!$("confirm").checked || meant === action) { meant = null; return choose(action); }
    meant = action;
    closeMenu();
    tell(`Once more to confirm: ${words}. Anything else takes it back.`);
  }
  // The width there is for the picture, which is laid out for it.
  const room = () => $("table").clientWidth;
  const post = (path, body) => fetch(`${path}?width=${room()}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  });
  async function choose(action) {
    if (busy) return;
    closeMenu();
    setBusy(true);
    try {
      const answer = await post("/choose", { step: state.step, action });
      const body = await answer.json().catch(() => ({ error: `The server failed (${answer.status}): its terminal says why.` }));
      if (answer.ok) { tell(""); state = body; show(); }
      else { tell(`Not taken: ${body.error}`); await load(); }
    } catch { tell(`The server does not answer: has it been stopped? ${goOn()}`); }
    finally { setBusy(false); }
    // What was chosen is gone from the page, and with it the place of the keyboard.
    $(state.over ? "end" : "what").focus({ preventScroll: true });
  }
  // What others are still thinking about, or what has shown nothing new, can be taken back.
  async function undo() {
    $("undo").disabled = true;
    try {
      const answer = await post("/undo", { step: state.step });
      const body = await answer.json();
      if (!answer.ok) return tell(`Not taken back: ${body.error}`);
      tell("");
      if (!busy) { state = body; show(); }
    } catch { tell("The server does not answer: has it been stopped?"); }
    finally { $("undo").disabled = false; $("what").focus({ preventScroll: true }); }
  }
  $("undo").onclick = undo;
  function goOn() {
    return state?.saved ? `What you chose before is saved: antiquity play --resume ${state.saved}` : "This game is not saved.";
  }
  function setBusy(value) {
    busy = value;
    document.body.classList.toggle("busy", busy);
    $("thinking").hidden = $("waiting").hidden = !busy;
    $("undo").hidden = !busy && !state?.undo;
    if (busy) thinking();
    else if (state) heading();
  }
  // Who is thinking, for how long already, and how much of the time that it usually takes.
  function thinking() {
    // Where the actions lie below the table, it is said at the foot of the window as well.
    const started = performance.now(), [foot, ...bars] = [...$("waiting").children, $("thinking")];
    const tick = async () => {
      if (!busy) return;
      const { seat, seconds, usual } = await (await fetch("/thinking")).json();
      if (!busy) return;
      const whole = Math.floor(seconds ?? (performance.now() - started) / 1000);
      const who = (seat ?? null) === null ? "The others are" : `${name(seat)} is`;
      const most = usual >= 1 ? ` of about ${Math.round(usual)} s` : whole ? " s" : "";
      $("what").textContent = foot.textContent = `${who[0].toUpperCase()}${who.slice(1)} thinking${whole || most ? `, ${whole}${most}` : " …"}`;
      for (const bar of bars) if (usual) bar.value = Math.min(0.97, seconds / usual); else bar.removeAttribute("value");
      setTimeout(tick, 250);
    };
    tick().catch(() => {});
  }
  function heading() {
    $("what").textContent = state.actions.length === 1 ? "Your only action" : `Your decision: ${state.actions.length} actions`;
  }
  async function load() {
    state = await (await fetch(`/state?width=${room()}`)).json();
    drawn = room();
    show();
  }
  // In another room another picture.
  let drawn = 0, resized = null;
  addEventListener("resize", () => {
    clearTimeout(resized);
    resized = setTimeout(() => { if (!busy && state?.fits && Math.abs(room() - drawn) > 20) load().catch(() => {}); }, 200);
  });

  const groupsOf = (action) => [...$("table").querySelectorAll("[data-actions]")].filter((each) => numbers(each).includes(action));
  const numbers = (group) => group.dataset.actions.split(" ").map(Number);
  function light(actions, on) {
    for (const action of actions) {
      groupsOf(action).forEach((each) => each.classList.toggle("lit", on));
      $("actions").querySelector(`[data-action="${action}"]`)?.classList.toggle("lit", on);
    }
  }
  const priced = (words, price) => [words, ...(price ? [": ", el("span", { className: "price", textContent: price })] : [])];
  function button(action, words, price) {
    const node = el("button", { type: "button", onclick: () => decide(action, words) }, ...priced(words, price));
    node.dataset.action = action;
    node.onmouseenter = node.onfocus = () => light([action], true);
    node.onmouseleave = node.onblur = () => light([action], false);
    return node;
  }
  function pick(group, event) {
    event.stopPropagation();
    event.preventDefault();
    const words = new Map(state.actions.map(([action, ...said]) => [action, said]));
    const found = numbers(group).filter((each) => words.has(each));
    if (found.length === 1) return decide(found[0], words.get(found[0])[0]);
    if (!found.length) return;
    const menu = $("menu");
    menu.replaceChildren(...found.map((each) =>
      el("button", { type: "button", role: "menuitem", onclick: () => decide(each, words.get(each)[0]) }, ...priced(...words.get(each)))));
    menu.hidden = false;
    opener = group;
    const box = group.getBoundingClientRect();
    const left = event.clientX || box.left, top = event.clientY || box.bottom;
    menu.style.left = `${Math.max(4, Math.min(left, innerWidth - menu.offsetWidth - 12)) + scrollX}px`;
    menu.style.top = `${Math.max(4, Math.min(top, innerHeight - menu.offsetHeight - 12)) + scrollY}px`;
    menu.querySelector("button").focus();
  }
  function wire() {
    const words = new Map(state.actions.map(([action, said, price]) => [action, price ? `${said}: ${price}` : said]));
    const groups = [...$("table").querySelectorAll("[data-actions]")];
    // As an image the drawing would hide from screen readers what can be chosen in it.
    if (groups.length) $("table").querySelector("svg").setAttribute("role", "group");
    for (const group of groups) {
      const own = numbers(group);
      const inner = [...group.querySelectorAll("[data-actions]")].flatMap(numbers);
      let hint = group.querySelector(":scope > title");
      if (!hint) {
        hint = document.createElementNS("http://www.w3.org/2000/svg", "title");
        group.prepend(hint);
      }
      if (own.length === 1 && !inner.length) hint.textContent = words.get(own[0]) ?? hint.textContent;
      // Where each action has a button of its own inside, the whole is no further stop for the keyboard.
      const whole = own.every((each) => inner.includes(each));
      group.setAttribute("tabindex", whole ? "-1" : "0");
      if (!whole) {
        group.setAttribute("role", "button");
        group.setAttribute("aria-label", own.length === 1 ? words.get(own[0]) : `${hint.textContent}: ${own.length} actions`);
        if (own.length > 1) group.setAttribute("aria-haspopup", "menu");
      }
      group.onclick = (event) => pick(group, event);
      group.onkeydown = (event) => {
        if ((event.key === "Enter" || event.key === " ") && event.target === group) pick(group, event);
      };
      group.onmouseenter = () => light(numbers(group), true);
      group.onmouseleave = () => light(numbers(group), false);
    }
  }

  // A moment of the log, as it looked then.
  async function back(step) {
    if (busy) return;
    halt();
    const answer = await fetch(`/past?step=${step}&width=${room()}`);
    const body = await answer.json();
    if (!answer.ok) return tell(body.error);
    closeMenu();
    put(body.table);
    paint();
    document.body.classList.add("past");
    document.body.dataset.past = step;
    $("choice").inert = true;
    $("when").textContent = `The table as it was: ${body.heading}${state.watch ? "" : `, seen by seat ${state.seat}`}`;
    $("then").hidden = false;
    for (const each of $("events").children) each.classList.toggle("shown", each.dataset.step === String(step));
    $("then").scrollIntoView({ block: "nearest" });
  }
  function now() {
    if ($("then").hidden) return;
    show();
    $(state.over ? "end" : "what").focus({ preventScroll: true });
  }
  $("now").onclick = now;
  function put(table) {
    if (state.drawn) $("table").innerHTML = table;
    else $("table").replaceChildren(el("pre", { textContent: table }));
  }

  function show() {
    closeMenu();
    document.body.classList.remove("past");
    delete document.body.dataset.past;
    $("then").hidden = true;
    $("choice").inert = false;
    $("about").textContent = `${state.names.length} players · ${state.watch ? "all open" : `you are seat ${state.seat}`}`;
    $("saved").textContent = state.saved ? `saved in ${state.saved}` : "";
    put(state.table);
    $("table").classList.toggle("fits", Boolean(state.fits));
    $("undo").hidden = !state.undo;
    wire(); paint();
    $("choice").hidden = state.over || Boolean(state.watch);
    $("watch").hidden = state.over || !state.watch;
    if (!state.watch) advise().catch(() => {});
    $("result").hidden = !state.over;
    $("actions").replaceChildren(...state.actions.map((each) => button(...each)));
    if (state.over) result(); else heading();
    reasons(); log();
    document.body.dataset.step = state.step;
    document.body.dataset.over = state.over;
  }
  // An analysis of the decision, worked out beside the game: asked for until it is there.
  async function advise() {
    $("advice").hidden = !$("advise").checked || state.over;
    if ($("advice").hidden) return;
    const step = state.step;
    if (state.actions.length < 2) return $("advice").replaceChildren(el("p", { className: "muted", textContent: "Nothing to choose." }));
    const answer = await (await fetch("/advice")).json().catch(() => ({}));
    if (step !== state.step || !$("advise").checked) return;
    if (!answer.judged) {
      $("advice").replaceChildren(el("p", { className: "muted", textContent: "Thinking about it …" }));
      return void setTimeout(advise, 700);
    }
    const { options, agent, chance } = answer.judged;
    const rows = options.map((each) => {
      const bar = el("span", { className: "bar" });
      bar.style.width = `${Math.round(60 * each.share)}px`;
      return el("tr", { className: each.action === answer.judged.best ? "best" : "" }, el("td", { textContent: each.words }),
        el("td", {}, bar, ` ${Math.round(100 * each.share)}%`),
        el("td", { textContent: Math.round(100 * each.value), title: `± ${(100 * each.error).toFixed(1)}` }));
    });
    const head = el("tr", {}, el("th", { textContent: "choice" }), el("th", { textContent: "share" }), el("th", { textContent: "worth" }));
    $("advice").replaceChildren(
      el("p", { className: "muted", textContent: `${agent}: you win in ${Math.round(100 * chance)}% if all play on as the policy does.` }),
      el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows)));
  }
  $("advise").onchange = () => advise();

  // --- watching ---
  let watching = null;
  async function next() {
    try {
      const answer = await post("/next", { step: state.step });
      const body = await answer.json();
      if (answer.ok) { state = body; show(); } else { halt(); await load(); }
    } catch { halt(); tell("The server does not answer: has it been stopped?"); }
  }
  function halt() { watching = null; $("run").textContent = "▶ play"; }
  async function run() {
    if (watching) return halt();
    const mine = watching = {};
    $("run").textContent = "❚❚ pause";
    while (watching === mine && !state.over) {
      await next();
      await new Promise((done) => setTimeout(done, +$("pace").value));
    }
    if (watching === mine) halt();
  }
  $("run").onclick = run;
  $("one").onclick = () => { halt(); next(); };

  function reasons() {
    $("reasons").hidden = !state.reasons.length;
    $("not").replaceChildren(...state.reasons.map(([words, why]) =>
      el("li", {}, el("span", { className: "muted", textContent: words }), `: ${why}`)));
  }
  // Small signs by which the eye finds what it looks for in the log.
  const SIGNS = [[/^conflict/, "⚔"], [/hunger/, "✖"], [/throws/, "⚂"], [/crossed/, "✗"], [/coin/, "●"]];
  const sign = (words) => el("span", { className: "sign", ariaHidden: "true", textContent: SIGNS.find(([kind]) => kind.test(words))?.[1] ?? "·" });
  // The whole game, parted by its headings; a click leads to that moment: in the replay, once it may be seen whole.
  function row(step, ...parts) {
    return state.over ? el("a", { className: "row", href: `/replay.html#step=${step}&view=all` }, ...parts)
      : el("button", { type: "button", className: "row", title: "the table as it was then", onclick: () => back(step).catch(() => {}) }, ...parts);
  }
  function log() {
    let heading = null;
    const rows = [];
    for (const entry of state.log) {
      if (entry.heading !== heading) rows.push(el("li", { className: "part", textContent: entry.heading }));
      heading = entry.heading;
      for (const choice of entry.choices) {
        const words = el("span", { className: "said", textContent: choice.words });
        const line = el("li", {}, row(entry.step, dot(choice.seat), el("b", { textContent: name(choice.seat) }), ": ", ...priced(words, choice.price)));
        line.dataset.step = entry.step;
        rows.push(line);
      }
      for (const words of entry.news) rows.push(el("li", { className: "news" }, sign(words), words));
    }
    if (!rows.length) rows.push(el("li", { className: "muted", textContent: "Nothing yet: the game has just begun." }));
    $("events").replaceChildren(...rows);
    $("events").scrollTop = $("events").scrollHeight;
    const latest = state.events.filter(([, seat]) => seat !== state.seat).map(([, seat, words]) => `${name(seat)}: ${words}`);
    $("spoken").textContent = latest.join(". ");
  }
  function result() {
    const winners = state.ranks.flatMap((rank, seat) => (rank === 1 ? [seat] : []));
    const others = winners.map(name).join(" and ");
    $("winner").textContent = winners.includes(state.seat)
      ? (winners.length > 1 ? "You share the win." : "You have won.") : `The winner${winners.length > 1 ? "s" : ""}: ${others}.`;
    const head = el("tr", {}, el("th"), ...state.points.map((_, seat) => el("th", { title: name(seat) }, dot(seat), seat === state.seat ? "you" : String(seat))));
    const rows = state.columns.map((column, k) => el("tr", {}, el("td", { textContent: column.replaceAll("_", " ") }),
      ...state.points.map((row) => el("td", {}, el(column === "total" ? "b" : "span", { textContent: row[k] })))));
    rows.push(el("tr", {}, el("td", { textContent: "rank" }), ...state.ranks.map((rank) => el("td", { textContent: rank }))));
    $("points").replaceChildren(el("table", {}, head, ...rows));
  }

  addEventListener("click", (event) => { if (!event.target.closest("#menu")) closeMenu(); });
  addEventListener("keydown", (event) => { if (event.key === "Escape") { if (opener) opener.focus(); else now(); closeMenu(); } });
  $("menu").addEventListener("keydown", (event) => {
    const steps = { ArrowDown: 1, ArrowUp: -1 };
    if (!(event.key in steps)) return;
    event.preventDefault();
    const entries = [...$("menu").children];
    entries.at((entries.indexOf(document.activeElement) + steps[event.key]) % entries.length).focus();
  });
  load().catch(() => tell("The server does not answer: has it been stopped?"));
})();
