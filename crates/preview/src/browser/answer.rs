use std::{cell::RefCell, rc::Rc};

use axum::{body::Body, response::Response};
use futures_util::future::{AbortHandle, AbortRegistration, Abortable};
use http::HeaderMap;
use http_body_util::BodyExt as _;
use js_sys::{Array, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

/// Something that is read piece by piece, one piece at a time, until it ends or is given up.
pub(super) struct ChunkStream<T> {
    source: Rc<RefCell<Option<T>>>,
    current: RefCell<AbortHandle>,
}

impl<T: 'static> ChunkStream<T> {
    pub(super) fn new(source: T) -> Self {
        let (current, _) = AbortHandle::new_pair();
        Self { source: Rc::new(RefCell::new(Some(source))), current: RefCell::new(current) }
    }

    /// The next piece; undefined at the end, and for whoever asks before the piece asked for earlier is there.
    pub(super) fn next<F>(&self, read: impl FnOnce(T) -> F + 'static) -> Promise
    where
        F: Future<Output = Option<(Vec<u8>, T)>> + 'static,
    {
        let Some(source) = self.source.borrow_mut().take() else {
            return Promise::resolve(&JsValue::UNDEFINED);
        };
        let (current, registration): (_, AbortRegistration) = AbortHandle::new_pair();
        self.current.replace(current);
        let place = Rc::clone(&self.source);
        future_to_promise(async move {
            let Ok(Some((piece, source))) = Abortable::new(read(source), registration).await else {
                return Ok(JsValue::UNDEFINED);
            };
            place.replace(Some(source));
            Ok(Uint8Array::from(piece.as_slice()).into())
        })
    }

    /// Ends it. Who waits for a piece gets none.
    pub(super) fn give_up(&self) {
        self.current.borrow().abort();
        self.source.replace(None);
    }
}

/// The answer to a request.
#[wasm_bindgen]
pub struct Answer {
    status: u16,
    headers: HeaderMap,
    body: ChunkStream<Body>,
}

impl Answer {
    pub(super) fn new(response: Response) -> Self {
        let (head, body) = response.into_parts();
        Self { status: head.status.as_u16(), headers: head.headers, body: ChunkStream::new(body) }
    }
}

#[wasm_bindgen]
impl Answer {
    /// The HTTP status.
    #[wasm_bindgen(getter)]
    pub fn status(&self) -> u16 {
        self.status
    }

    /// The headers.
    #[wasm_bindgen(getter, unchecked_return_type = "[string, string][]")]
    pub fn headers(&self) -> Array {
        let pair = |name: &str, value: &[u8]| {
            Array::of2(&name.into(), &String::from_utf8_lossy(value).as_ref().into())
        };
        self.headers.iter().map(|(name, value)| pair(name.as_str(), value.as_bytes())).collect()
    }

    /// The next piece of the body; undefined at its end.
    #[wasm_bindgen(unchecked_return_type = "Promise<Uint8Array | undefined>")]
    pub fn next(&self) -> Promise {
        self.body.next(async |mut body: Body| {
            loop {
                // A body that breaks off ends.
                let frame = body.frame().await?.ok()?;
                if let Ok(data) = frame.into_data()
                    && !data.is_empty()
                {
                    return Some((data.to_vec(), body));
                }
            }
        })
    }
}

impl Drop for Answer {
    fn drop(&mut self) {
        self.body.give_up();
    }
}
