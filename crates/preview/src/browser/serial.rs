use std::{cell::RefCell, rc::Rc};

use croft_http::{CloseReason, ConsoleStream as Stream, Keyboard};
use js_sys::Promise;
use wasm_bindgen::prelude::*;

use super::answer::ChunkStream;

/// Close code of a stream that its reader closes (RFC 6455, section 7.4.1).
const NORMAL: u16 = 1000;

/// The serial or graphical console of an instance.
#[wasm_bindgen]
pub struct SerialStream {
    keyboard: Option<Keyboard>,
    pieces: ChunkStream<Stream>,
    goodbye: Rc<RefCell<CloseReason>>,
}

impl SerialStream {
    pub(super) fn new(stream: Stream) -> Self {
        let goodbye = CloseReason { code: NORMAL, reason: String::new() };
        let keyboard = stream.keyboard();
        Self { keyboard, pieces: ChunkStream::new(stream), goodbye: Rc::new(RefCell::new(goodbye)) }
    }
}

#[wasm_bindgen]
impl SerialStream {
    /// What the instance says next; undefined once the stream has ended.
    #[wasm_bindgen(unchecked_return_type = "Promise<Uint8Array | undefined>")]
    pub fn next(&self) -> Promise {
        let place = Rc::clone(&self.goodbye);
        self.pieces.next(async move |mut stream: Stream| match stream.next().await {
            Ok(bytes) => Some((bytes, stream)),
            Err(goodbye) => {
                place.replace(goodbye);
                None
            }
        })
    }

    /// Types on the console.
    pub fn send(&self, bytes: &[u8]) {
        if let Some(keyboard) = &self.keyboard {
            keyboard.write(bytes);
        }
    }

    /// Ends the stream.
    pub fn close(&self) {
        self.pieces.give_up();
    }

    /// Once the stream has ended: the close code that a WebSocket would have.
    #[wasm_bindgen(getter, js_name = closeCode)]
    pub fn close_code(&self) -> u16 {
        self.goodbye.borrow().code
    }

    /// Once the stream has ended: why, in words.
    #[wasm_bindgen(getter, js_name = closeReason)]
    pub fn close_reason(&self) -> String {
        self.goodbye.borrow().reason.clone()
    }
}

impl Drop for SerialStream {
    fn drop(&mut self) {
        self.pieces.give_up();
    }
}
