//! QEMU's control socket: commands and answers, and events in between, each a line of JSON.
//!
//! QEMU's documentation calls it QMP.

use std::{
    collections::HashMap,
    io::{self, Read as _, Write as _},
    os::{
        fd::{AsFd, BorrowedFd},
        unix::net::UnixStream,
    },
    sync::mpsc::{Sender, channel},
    time::Duration,
};

use serde_json::{Value, json};

/// QEMU does not stop reading commands for longer than this, unless it hangs.
const WRITE_LIMIT: Duration = Duration::from_secs(2);
/// Answers are of a few KiB.
const LONGEST_LINE: usize = 1 << 20;

/// The result of a command.
pub(super) type Answer = Result<Value, String>;

/// An event from QEMU.
#[derive(Debug, PartialEq)]
pub(super) struct Event {
    pub(super) name: String,
    pub(super) data: Value,
}

/// The connection.
#[derive(Debug)]
pub(super) struct Control {
    stream: UnixStream,
    received: Vec<u8>,
    next: u64,
    waiting: HashMap<u64, Sender<Answer>>,
}

impl Control {
    /// Begins to talk.
    pub(super) fn new(stream: UnixStream) -> io::Result<Self> {
        stream.set_write_timeout(Some(WRITE_LIMIT))?;
        let mut control = Self { stream, received: Vec::new(), next: 0, waiting: HashMap::new() };
        control.send("qmp_capabilities", &json!({}), channel().0)?;
        Ok(control)
    }

    /// Sends a command. Its answer is sent on while [`Control::receive`] is called.
    pub(super) fn send(
        &mut self,
        command: &str,
        arguments: &Value,
        answer: Sender<Answer>,
    ) -> io::Result<()> {
        self.next += 1;
        let mut line = json!({ "execute": command, "id": self.next, "arguments": arguments }).to_string();
        line.push('\n');
        self.stream.write_all(line.as_bytes())?;
        self.waiting.insert(self.next, answer);
        Ok(())
    }

    /// Reads what has arrived, at least once: delivers answers to their receivers, and returns the events.
    pub(super) fn receive(&mut self) -> io::Result<Vec<Event>> {
        let mut buffer = [0; 16 << 10];
        let count = self.stream.read(&mut buffer)?;
        if count == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        self.received.extend_from_slice(&buffer[..count]);
        let mut events = Vec::new();
        while let Some(end) = self.received.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.received.drain(..=end).collect();
            events.extend(self.line(&serde_json::from_slice(&line)?));
        }
        if self.received.len() > LONGEST_LINE {
            return Err(io::Error::other("a line from the control socket is too long"));
        }
        Ok(events)
    }

    fn line(&mut self, message: &Value) -> Option<Event> {
        if let Some(name) = message["event"].as_str() {
            return Some(Event { name: name.to_owned(), data: message["data"].clone() });
        }
        let waiting = self.waiting.remove(&message["id"].as_u64()?)?;
        let answer = match message.get("return") {
            Some(value) => Ok(value.clone()),
            None => Err(message["error"]["desc"].as_str().unwrap_or("no reason was given").to_owned()),
        };
        // The receiver may have given up.
        let _ = waiting.send(answer);
        None
    }
}

impl AsFd for Control {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::io::{BufRead as _, BufReader};

    use super::*;

    #[test]
    fn answers_are_matched_to_requests_and_events_separated() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let mut control = Control::new(ours).unwrap();
        let (sender, status) = channel();
        control.send("query-status", &json!({}), sender).unwrap();
        let (sender, wrong) = channel();
        control.send("wrong", &json!({ "a": 1 }), sender).unwrap();
        let mut lines = BufReader::new(theirs.try_clone().unwrap()).lines().map(Result::unwrap);
        assert!(lines.next().unwrap().contains("qmp_capabilities"));
        assert!(lines.next().unwrap().contains("query-status"));
        let mut theirs = theirs;
        theirs
            .write_all(b"{\"QMP\": {}}\n{\"id\": 3, \"error\": {\"desc\": \"no such command\"}}\n")
            .unwrap();
        theirs
            .write_all(b"{\"event\": \"STOP\", \"data\": {}}\n{\"id\": 2, \"return\": {\"status\"")
            .unwrap();
        let events = control.receive().unwrap();
        assert_eq!(events, [Event { name: "STOP".to_owned(), data: json!({}) }]);
        assert_eq!(wrong.try_recv().unwrap(), Err("no such command".to_owned()));
        assert!(status.try_recv().is_err());
        theirs.write_all(b": \"running\"}}\n").unwrap();
        assert!(control.receive().unwrap().is_empty());
        assert_eq!(status.try_recv().unwrap(), Ok(json!({ "status": "running" })));
        drop((theirs, lines));
        assert!(control.receive().is_err());
    }
}
