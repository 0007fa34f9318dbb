//! Chromium without a window, driven over the DevTools protocol by a pipe: no server, no port, no crate.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// How long a browser may think about one request.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page, which keeps a record of what the page does.
pub(crate) struct Browser {
    child: Child,
    input: ChildStdin,
    output: Receiver<Value>,
    profile: PathBuf,
    session: Option<String>,
    last: u64,
    events: Vec<Value>,
}

impl Browser {
    /// Starts the browser that `CHROMIUM` names, or the first that is installed.
    pub(crate) fn start(profile: &Path) -> Browser {
        let program = std::env::var("CHROMIUM").unwrap_or_else(|_| {
            let mut names = ["chromium", "chromium-browser", "google-chrome"].into_iter();
            let installed = names.find(|name| Command::new(name).arg("--version").output().is_ok());
            installed.expect("Chromium is needed: install it, or name it by CHROMIUM").to_owned()
        });
        // The protocol's pipe is descriptors 3 and 4, which only a shell can make of 0 and 1 without unsafe code.
        let mut child = Command::new("sh")
            .args(["-c", r#"exec "$0" "$@" 3<&0 4>&1 </dev/null >/dev/null 2>&1"#])
            .arg(program)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
            .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
            .args(["--disable-dev-shm-usage", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let input = child.stdin.take().expect("a pipe");
        let mut pipe = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut message = Vec::new();
            while pipe.read_until(0, &mut message).is_ok_and(|read| read > 0) {
                message.pop();
                let _ = sender.send(serde_json::from_slice(&message).expect("JSON"));
                message.clear();
            }
        });
        let profile = profile.to_owned();
        let mut browser = Browser { child, input, output, profile, session: None, last: 0, events: Vec::new() };
        let target = browser.call("Target.createTarget", json!({ "url": "about:blank" }));
        let attach = json!({ "targetId": target["targetId"], "flatten": true });
        let session = browser.call("Target.attachToTarget", attach);
        browser.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.call(&format!("{domain}.enable"), json!({}));
        }
        browser
    }

    /// A request of the protocol, and its result.
    pub(crate) fn call(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let mut request = json!({ "id": self.last, "method": method, "params": params });
        if let Some(session) = &self.session {
            request["sessionId"] = session.as_str().into();
        }
        write!(self.input, "{request}\0").expect("a browser that listens");
        loop {
            let mut message = self.output.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("no answer to {method}"));
            if message["id"] == self.last {
                assert!(message.get("error").is_none(), "{method}: {message}");
                return message["result"].take();
            }
            self.events.push(message);
        }
    }

    /// Opens a file, and waits until all of it is there.
    pub(crate) fn open(&mut self, file: &Path) {
        self.events.clear();
        // Percent-encoding is not needed: the file's name is the test's.
        self.call("Page.navigate", json!({ "url": format!("file://{}", file.display()) }));
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            self.events.push(self.output.recv_timeout(PATIENCE).expect("a page that loads"));
        }
    }

    /// The value of an expression in the page. An exception fails the test.
    pub(crate) fn eval(&mut self, expression: &str) -> Value {
        let params = json!({ "expression": expression, "returnByValue": true, "awaitPromise": true });
        let mut answer = self.call("Runtime.evaluate", params);
        assert!(answer.get("exceptionDetails").is_none(), "{expression}: {answer}");
        answer["result"]["value"].take()
    }

    pub(crate) fn text(&mut self, expression: &str) -> String {
        let value = self.eval(expression);
        value.as_str().unwrap_or_else(|| panic!("{expression} is {value}")).to_owned()
    }

    /// Presses a key and lets it go: `Enter`, `Tab`, `Space`.
    pub(crate) fn press(&mut self, key: &str) {
        let (key, code, text) = match key {
            "Enter" => ("Enter", 13, "\r"),
            "Space" => (" ", 32, " "),
            "Tab" => ("Tab", 9, ""),
            _ => panic!("no such key: {key}"),
        };
        let down = if text.is_empty() { "rawKeyDown" } else { "keyDown" };
        for kind in [down, "keyUp"] {
            let params = json!({ "type": kind, "key": key, "windowsVirtualKeyCode": code, "text": text });
            self.call("Input.dispatchKeyEvent", params);
        }
    }

    pub(crate) fn width(&mut self, width: u32) {
        let params = json!({ "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": false });
        self.call("Emulation.setDeviceMetricsOverride", params);
    }

    /// Screen or print, light or dark.
    pub(crate) fn media(&mut self, media: &str, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call("Emulation.setEmulatedMedia", json!({ "media": media, "features": features }));
    }

    /// What the page did that a page must not do since it was opened: errors, warnings, exceptions, dialogs, and requests
    /// but for the page itself.
    pub(crate) fn complaints(&mut self) -> Vec<String> {
        // Events come in order, so after an answer all before it are here.
        self.eval("0");
        let is_complaint = |event: &&Value| match event["method"].as_str() {
            Some("Network.requestWillBeSent") => event["params"]["type"] != "Document",
            Some("Runtime.exceptionThrown" | "Runtime.consoleAPICalled" | "Log.entryAdded") => true,
            Some("Page.javascriptDialogOpening" | "Page.windowOpen" | "Page.frameAttached") => true,
            _ => false,
        };
        self.events.iter().filter(is_complaint).map(Value::to_string).collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}
