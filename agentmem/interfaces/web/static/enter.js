// Takes the token after the # of the link that `agentmem serve` prints. A fragment is never sent, so no log has it.
const secret = decodeURIComponent(location.hash.slice(1));
if (secret) {
  history.replaceState(null, "", location.pathname);
  document.getElementById("token").value = secret;
  document.getElementById("enter").requestSubmit();
}
