// Shows an answer piece by piece, and the newest turn. Without this the form is sent, and the page comes back with the
// whole answer.

const WAIT = 1000; // milliseconds within which the server notices that a token was revoked
const NEAR = 80; // pixels from the end of the page within which whoever reads there goes on to what comes

let atEnd = true;

function followed() {
  if (atEnd) scrollTo(0, document.documentElement.scrollHeight);
}

addEventListener("scroll", () => (atEnd = innerHeight + scrollY >= document.documentElement.scrollHeight - NEAR), { passive: true });
new MutationObserver(followed).observe(document.getElementById("shown"), { childList: true, subtree: true });
followed();

function turn(speaker, byAgent) {
  const article = document.createElement("article");
  article.className = byAgent ? "turn by_agent" : "turn";
  const who = document.createElement("p");
  who.className = "quiet";
  who.textContent = speaker;
  const said = document.createElement("p");
  said.className = "said";
  article.append(who, said);
  return { article, said };
}

async function* events(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    text += value;
    const blocks = text.split("\n\n");
    text = blocks.pop();
    for (const block of blocks) {
      const fields = Object.fromEntries(block.split("\n").map((line) => [line.slice(0, line.indexOf(":")), line.slice(line.indexOf(":") + 2)]));
      if (fields.data) yield { kind: fields.event, data: JSON.parse(fields.data) };
    }
  }
}

async function say(form) {
  const field = form.elements.text, button = form.querySelector("button");
  const log = document.getElementById("talk");
  const mine = turn(form.dataset.person, false), theirs = turn(form.dataset.agent, true);
  mine.said.textContent = field.value;
  log.setAttribute("aria-busy", "true");
  atEnd = true;
  log.append(mine.article, theirs.article);
  const sent = new URLSearchParams(new FormData(form));
  field.value = "";
  button.disabled = true;
  let ended = false;
  try {
    const answer = await fetch(form.action, { method: "POST", body: sent, headers: { Accept: "text/event-stream" }, redirect: "manual" });
    if (!answer.ok) throw new Error(answer.status);
    for await (const { kind, data } of events(answer.body)) {
      if (kind === "piece") theirs.said.textContent += data.text;
      if (kind === "error") throw new Error(data.code);
      if (kind === "done") {
        const shown = new DOMParser().parseFromString(data.html, "text/html").body;
        mine.article.remove();
        theirs.article.replaceWith(...shown.childNodes);
        ended = true;
      }
    }
    if (!ended) throw new Error("cut");
  } catch {
    const there = await fetch(location.href, { redirect: "manual" });
    if (!there.ok) setTimeout(() => location.reload(), WAIT); // this talk, or the session, is over
    theirs.said.textContent = form.dataset.failed;
    theirs.article.classList.add("failed");
  } finally {
    log.setAttribute("aria-busy", "false");
    button.disabled = false;
    field.focus();
  }
}

document.addEventListener("submit", (event) => {
  if (event.target.id !== "say" || !("stays" in event.target.dataset)) return; // without a model nothing is answered
  event.preventDefault();
  say(event.target);
});
