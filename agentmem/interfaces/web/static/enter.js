// Takes the token after the # of the link that `agentmem serve` prints. A fragment is never sent, so no log has it.
function take() {
  const secret = decodeURIComponent(location.hash.slice(1));
  if (!secret) return;
  history.replaceState(null, "", location.pathname + location.search);
  document.getElementById("token").value = secret;
  document.getElementById("enter").requestSubmit();
}

take();
addEventListener("hashchange", take); // the link was opened in a tab that shows this page already
