// Every page works without this; with it, what changes is shown without loading the page anew.

const WAIT = 400; // milliseconds in which changes gather

// What somebody types stays: then only what stands apart from it is renewed.
function renewBeside(main, fresh) {
  for (const part of main.querySelectorAll("[data-renews]:not([aria-busy=true])")) {
    const renewed = fresh.querySelector(`#${part.id}`);
    if (!renewed || renewed.innerHTML === part.innerHTML || part.contains(document.activeElement)) continue;
    const open = [...part.querySelectorAll("details")].map((each) => each.open);
    part.replaceChildren(...renewed.childNodes);
    part.querySelectorAll("details").forEach((each, place) => (each.open = open[place] ?? false));
    tell("updated");
  }
}

function busy(main) {
  const field = main.querySelector(":is(input:not([type=hidden]), textarea, select):focus");
  const edited = [...main.querySelectorAll("textarea, input:not([type=hidden])")].some((each) => each.value !== each.defaultValue);
  return field !== null || edited || main.querySelector("[aria-busy=true]") !== null;
}

async function renew(main) {
  const answer = await fetch(location.href, { redirect: "error", headers: { Accept: "text/html", "Agentmem-Renews": "1" } });
  if (!answer.ok) return location.reload();
  const text = await answer.text();
  const fresh = new DOMParser().parseFromString(text, "text/html").querySelector("#shown");
  if (!fresh || fresh.innerHTML === main.innerHTML) return;
  if (busy(main)) return renewBeside(main, fresh);
  const open = new Set([...main.querySelectorAll("details[open]")].map((each) => each.id));
  const focused = document.activeElement?.id;
  main.replaceChildren(...fresh.childNodes);
  for (const each of main.querySelectorAll("details")) if (open.has(each.id)) each.open = true;
  if (focused) document.getElementById(focused)?.focus();
  tell("updated");
}

function tell(word) {
  const told = document.querySelector("[data-told]");
  told.textContent = told.dataset[word];
}

// Enter sends what is written in one field, except where it ends the choice of a character.
for (const field of document.querySelectorAll("textarea[data-sends]")) {
  const hint = document.getElementById(field.getAttribute("aria-describedby"));
  if (hint) hint.hidden = false;
}
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.shiftKey || event.isComposing || !event.target.matches("textarea[data-sends]")) return;
  event.preventDefault();
  const button = event.target.form.querySelector("button[type=submit]");
  if (!button.disabled) event.target.form.requestSubmit(button);
});

// What a browser has against an empty field it tells in its own language: it is to be that of the page.
document.addEventListener("invalid", ({ target }) => {
  target.setCustomValidity("");
  if (target.validity.valueMissing) target.setCustomValidity(document.body.dataset.required);
}, true);
for (const kind of ["input", "change"]) document.addEventListener(kind, ({ target }) => target.setCustomValidity?.(""));

// What was asked for is on its way: the button says so until the next page is there. Some forms bring no other page.
document.addEventListener("submit", (event) => {
  if (event.defaultPrevented || "stays" in event.target.dataset) return;
  event.submitter?.setAttribute("aria-busy", "true");
  tell("working");
});
addEventListener("pageshow", () => document.querySelectorAll("button[aria-busy]").forEach((each) => each.removeAttribute("aria-busy")));

const main = document.querySelector("#shown[data-live]");
if (main) {
  let waiting = 0;
  const changes = new EventSource(main.dataset.live);
  changes.addEventListener("changed", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => renew(main).catch(() => {}), WAIT);
  });
  changes.addEventListener("error", async () => {
    if (changes.readyState !== EventSource.CLOSED) return; // it tries again by itself
    const answer = await fetch(location.href, { redirect: "manual" });
    if (answer.type === "opaqueredirect") location.reload(); // the session is over, and leads to where one enters
  });
  addEventListener("pagehide", () => changes.close());
}
