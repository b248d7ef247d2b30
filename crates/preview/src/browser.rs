//! The JavaScript interface of the cloud in a browser's worker.

mod answer;
mod background;
mod host_services;
mod serial;

use std::{
    cell::{Cell, RefCell},
    rc::Rc,
};

use axum::body::Body;
use croft_http::{Edge, StreamHandoff};
use http::{Request, StatusCode};
use js_sys::{Array, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::future_to_promise;

use self::{answer::Answer, serial::SerialStream};
use crate::Cloud;

/// A cloud in memory, which is gone with the page.
#[wasm_bindgen]
pub struct Croft {
    cloud: Rc<RefCell<Cloud>>,
    is_at_work: Cell<bool>,
}

#[wasm_bindgen]
impl Croft {
    /// Opens a cloud in memory with the demo set. Its background work begins with the first request.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Result<Self, JsError> {
        let cloud = Rc::new(RefCell::new(Cloud::open(host_services::browser_services())?));
        Ok(Self { cloud, is_at_work: Cell::new(false) })
    }

    /// The people of the demo set, first one first.
    #[wasm_bindgen(unchecked_return_type = "{ name: string; role: string }[]")]
    pub fn users(&self) -> Result<Array, JsValue> {
        let cloud = self.cloud.borrow();
        let users = cloud.people().iter().map(|person| {
            let user = Object::new();
            Reflect::set(&user, &"name".into(), &person.name.as_str().into())?;
            Reflect::set(&user, &"role".into(), &person.role.as_str().into())?;
            Ok(user)
        });
        users.collect()
    }

    /// Makes a session for a person by display name; the answer is the value for the `cookie` header ("session=…").
    #[wasm_bindgen(js_name = signIn)]
    pub fn sign_in(&self, name: &str) -> Result<String, JsError> {
        Ok(self.cloud.borrow().sign_in(name)?)
    }

    /// Answers one request (path and query in `url`). Rejects never for HTTP errors.
    #[wasm_bindgen(unchecked_return_type = "Promise<Answer>")]
    pub fn handle(
        &self,
        method: &str,
        url: &str,
        #[wasm_bindgen(unchecked_param_type = "[string, string][]")] headers: &Array,
        body: Option<Vec<u8>>,
    ) -> Promise {
        let edge = self.edge(method, url);
        let request = request(method, url, headers, body.unwrap_or_default());
        future_to_promise(async move { Ok(Answer::new(edge?.handle(request?).await).into()) })
    }

    /// Opens the stream of a console of the same URL as on the wire, or rejects with the HTTP answer that a server would give
    /// instead.
    #[wasm_bindgen(js_name = openSerial, unchecked_return_type = "Promise<SerialStream>")]
    pub fn open_serial(
        &self,
        url: &str,
        #[wasm_bindgen(unchecked_param_type = "[string, string][]")] headers: &Array,
    ) -> Promise {
        let edge = self.edge("GET", url);
        let request = request("GET", url, headers, Vec::new());
        future_to_promise(async move {
            let (mut request, handed) = (request?, StreamHandoff::default());
            request.extensions_mut().insert(handed.clone());
            let answer = edge?.handle(request).await;
            match handed.take().filter(|_| answer.status() == StatusCode::SWITCHING_PROTOCOLS) {
                Some(stream) => Ok(SerialStream::new(stream).into()),
                None => Err(Answer::new(answer).into()),
            }
        })
    }

    /// What answers a request.
    fn edge(&self, method: &str, url: &str) -> Result<Edge, JsError> {
        if !self.is_at_work.replace(true) {
            background::begin(&self.cloud);
        }
        Ok(self.cloud.borrow_mut().edge(method, url)?)
    }
}

fn request(method: &str, url: &str, headers: &Array, body: Vec<u8>) -> Result<Request<Body>, JsValue> {
    let mut request = Request::builder().method(method).uri(url);
    for header in headers.iter() {
        let pair = Array::from(&header);
        if let (Some(name), Some(value)) = (pair.get(0).as_string(), pair.get(1).as_string()) {
            request = request.header(name, value);
        }
    }
    request.body(Body::from(body)).map_err(|error| JsError::new(&error.to_string()).into())
}
