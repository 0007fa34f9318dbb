//! Headless Chromium, driven over a pipe with the DevTools protocol: no server, no port, no crate.

use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// The limit for one request to the browser.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page, which records the events of the page.
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
    /// Starts the browser that `CHROMIUM` names, or the first one installed.
    pub(crate) fn start(profile: &Path) -> Browser {
        let program = std::env::var("CHROMIUM").unwrap_or_else(|_| {
            let mut names = ["chromium", "chromium-browser", "google-chrome"].into_iter();
            let installed = names.find(|name| Command::new(name).arg("--version").output().is_ok());
            installed.expect("Chromium is needed: install it, or name it by CHROMIUM").to_owned()
        });
        // The protocol's pipe is descriptors 3 and 4. Without unsafe code only a shell can make
        // them from 0 and 1.
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

    /// Sends a request of the protocol, and returns its result.
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

    /// Opens a file, and waits until it is loaded.
    pub(crate) fn open(&mut self, file: &Path) {
        self.events.clear();
        // Percent-encoding is not needed: the test chooses the file's name.
        self.call("Page.navigate", json!({ "url": format!("file://{}", file.display()) }));
        while !self.events.iter().any(|event| event["method"] == "Page.loadEventFired") {
            self.events.push(self.output.recv_timeout(PATIENCE).expect("a page that loads"));
        }
    }

    /// Returns the value of an expression in the page. An exception fails the test.
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

    /// Presses and releases a key: `Enter`, `Tab`, `Space`.
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

    /// Sets the medium, screen or print, and the colour scheme, light or dark.
    pub(crate) fn media(&mut self, media: &str, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.call("Emulation.setEmulatedMedia", json!({ "media": media, "features": features }));
    }

    /// Returns forbidden events since the page was opened: errors, warnings, exceptions, dialogs,
    /// and requests other than for the page.
    pub(crate) fn complaints(&mut self) -> Vec<String> {
        // Events come in order, so after a response all earlier ones have arrived.
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
