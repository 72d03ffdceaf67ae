// Tells which day the slider stands at while it is moved. Its value is a day's number; the first is 1 January of the year 1.
for (const form of document.querySelectorAll("form[data-slider]")) {
  const slider = form.querySelector("input[type=range]");
  const told = form.querySelector("output");
  slider.addEventListener("input", () => {
    const day = new Date(0);
    day.setUTCFullYear(1, 0, Number(slider.value));
    told.textContent = day.toISOString().slice(0, 10);
    slider.setAttribute("aria-valuetext", told.textContent);
  });
}
