"use strict";
(() => {
  const USUAL = 30; // seconds to compile all rules of a game
  const what = document.getElementById("what"), bar = document.getElementById("bar");
  let theme = null;
  try { theme = localStorage.getItem("theme"); } catch { /* nothing is remembered */ }
  const dark = theme ? theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.classList.toggle("dark", dark);
  async function ask() {
    let status = null;
    try {
      status = await (await fetch("/opening")).json();
    } catch {
      what.textContent = "The server does not answer: has it been stopped?";
      return void setTimeout(ask, 2000);
    }
    if (status.error) {
      bar.hidden = true;
      what.textContent = `The game could not be set up: ${status.error}`;
      return;
    }
    if (status.ready) return location.reload();
    const seconds = Math.floor(status.seconds);
    if (status.compiling) {
      what.textContent = `Compiling the rules for this machine, about ${USUAL} seconds, once after installing: ${seconds} s so far.`;
      bar.value = 1 - Math.exp(-1.5 * status.seconds / USUAL);
      document.body.dataset.compiling = "yes";
    }
    setTimeout(ask, 400);
  }
  ask();
})();
