//! Runs the cloud's background work when it is due, as a thread does in the server.

use std::{cell::RefCell, pin::pin, rc::Rc, time::Duration};

use croft_http::Tasks as _;
use futures_util::future::select;
use wasm_bindgen_futures::spawn_local;

use super::host_services::EventLoop;
use crate::Cloud;

/// The first screen sends several requests, with at most this time between them. They do not wait for the first step,
/// which takes a while.
const FIRST_SCREEN: Duration = Duration::from_millis(300);
/// Minimum time between two steps, so that responses are not delayed.
const DEBOUNCE: Duration = Duration::from_millis(10);
/// Delay after a failed step.
const AFTER_FAILURE: Duration = Duration::from_secs(1);

/// Runs the background work as long as the cloud exists.
pub(super) fn begin(cloud: &Rc<RefCell<Cloud>>) {
    let weak = Rc::downgrade(cloud);
    let mut changes = cloud.borrow().changes();
    spawn_local(async move {
        EventLoop.sleep(FIRST_SCREEN).await;
        while let Some(cloud) = weak.upgrade() {
            // Listen before the step, so that no event during the step is missed.
            let news = cloud.borrow().news();
            changes.take();
            let pause = cloud.borrow_mut().step().unwrap_or(AFTER_FAILURE);
            drop(cloud);
            EventLoop.sleep(DEBOUNCE).await;
            let due = EventLoop.sleep(pause.saturating_sub(DEBOUNCE));
            select(due, select(pin!(changes.changed()), news)).await;
        }
    });
}
