// Where the site is opened as a file, browsers start no worker; the search's then runs in a hidden frame.
class IFrameWorker extends EventTarget {
  constructor(url) {
    super();
    this.frame = document.createElement("iframe");
    this.frame.hidden = true;
    document.body.append(this.frame);
    const inside = this.frame.contentWindow;
    const page = inside.document;
    this.ready = new Promise((done) => {
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      inside.importScripts = async (...urls) => {
        for (const each of urls) await load(page, each);
      };
      load(page, url).then(done);
    });
  }

  postMessage(data) {
    this.ready.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data: structuredClone(data) })));
  }

  terminate() {
    this.frame.remove();
  }
}

function load(page, url) {
  return new Promise((done) => {
    const script = page.createElement("script");
    script.src = url;
    script.onload = done;
    page.body.append(script);
  });
}

if (location.protocol === "file:") window.Worker = IFrameWorker;
