// Tells which day the slider stands at while it is moved, and shows that day once it stays there. Its value is a day's
// number; the first is 1 January of the year 1.

const WAIT = 600; // milliseconds in which the slider is moved on, key by key

for (const form of document.querySelectorAll("form[data-slider]")) {
  const slider = form.querySelector("input[type=range]");
  const told = form.querySelector("output");
  let waiting = 0;
  slider.addEventListener("input", () => {
    clearTimeout(waiting);
    const day = new Date(0);
    day.setUTCFullYear(1, 0, Number(slider.value));
    told.textContent = day.toISOString().slice(0, 10);
    slider.setAttribute("aria-valuetext", told.textContent);
  });
  slider.addEventListener("change", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => form.requestSubmit(), WAIT);
  });
}
