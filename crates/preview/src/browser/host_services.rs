//! Time, randomness and tasks of a browser.

use std::{sync::Arc, time::Duration};

use croft_api::Timestamp;
use croft_http::{Clock, Pending, Random, Tasks};
use futures_channel::oneshot;
use js_sys::Function;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::spawn_local;

use crate::HostServices;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance, js_name = now)]
    fn monotonic_milliseconds() -> f64;

    #[wasm_bindgen(js_namespace = crypto, js_name = getRandomValues)]
    fn fill_random(bytes: &mut [u8]);

    #[wasm_bindgen(js_name = setTimeout)]
    fn set_timeout(callback: &Function, milliseconds: f64) -> JsValue;
}

/// The services of the worker.
pub(super) fn browser_services() -> HostServices {
    HostServices {
        clock: Arc::new(BrowserClock),
        random: Arc::new(BrowserRandom),
        tasks: Arc::new(EventLoop),
    }
}

struct BrowserClock;

impl Clock for BrowserClock {
    fn now(&self) -> Timestamp {
        // Whole milliseconds, which are represented exactly.
        #[expect(clippy::cast_possible_truncation, reason = "dates of browsers fit")]
        let milliseconds = js_sys::Date::now() as i64;
        Timestamp::from_millisecond(milliseconds).unwrap_or_default()
    }

    fn monotonic(&self) -> Duration {
        Duration::from_secs_f64(monotonic_milliseconds() / 1000.0)
    }
}

struct BrowserRandom;

/// Maximum number of random bytes that browsers return at once.
const AT_ONCE: usize = 65_536;

impl Random for BrowserRandom {
    fn fill(&self, bytes: &mut [u8]) {
        bytes.chunks_mut(AT_ONCE).for_each(fill_random);
    }
}

/// The worker's event loop.
pub(super) struct EventLoop;

/// Maximum delay of a browser's timer, in milliseconds.
const LONGEST: f64 = 2_147_483_647.0;

impl Tasks for EventLoop {
    fn spawn(&self, task: Pending<()>) {
        spawn_local(task);
    }

    fn sleep(&self, time: Duration) -> Pending<()> {
        let (done, waited) = oneshot::channel();
        let callback = Closure::once_into_js(move || {
            // The receiver may be gone.
            let _ = done.send(());
        });
        set_timeout(callback.unchecked_ref(), (time.as_secs_f64() * 1000.0).ceil().min(LONGEST));
        Box::pin(async move { waited.await.unwrap_or_default() })
    }
}
