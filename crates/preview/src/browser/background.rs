//! Does the cloud's background work when it is due, as a thread does natively.

use std::{cell::RefCell, pin::pin, rc::Rc, time::Duration};

use croft_http::Tasks as _;
use futures_util::future::select;
use wasm_bindgen_futures::spawn_local;

use super::host_services::EventLoop;
use crate::Cloud;

/// The first screen asks for several things at once, and this long at most lies between them. They do not wait for the
/// first step, which takes a while.
const FIRST_SCREEN: Duration = Duration::from_millis(300);
/// At least this long between two steps, so that answers have their turn.
const DEBOUNCE: Duration = Duration::from_millis(10);
/// After a failed step the next one waits this long.
const AFTER_FAILURE: Duration = Duration::from_secs(1);

/// Begins to work for as long as the cloud is there.
pub(super) fn begin(cloud: &Rc<RefCell<Cloud>>) {
    let weak = Rc::downgrade(cloud);
    let mut changes = cloud.borrow().changes();
    spawn_local(async move {
        EventLoop.sleep(FIRST_SCREEN).await;
        while let Some(cloud) = weak.upgrade() {
            // Listening begins before the step, so that nothing that happens meanwhile is missed.
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
