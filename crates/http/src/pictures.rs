//! Pictures of machines' screens, which many people look at: one is shown for some seconds before the next is taken.

use std::{collections::HashMap, sync::Arc, time::Duration};

use bytes::Bytes;
use croft_api::Uuid;
use parking_lot::Mutex;

use crate::failure::Result;

/// How long a picture is shown.
const FRESH: Duration = Duration::from_secs(5);

struct Picture {
    taken: Duration,
    content: Bytes,
}

impl Picture {
    fn is_fresh(&self, now: Duration) -> bool {
        now.saturating_sub(self.taken) < FRESH
    }
}

/// The place of a machine's picture. It is locked while one is taken.
type Place = Arc<async_lock::Mutex<Option<Picture>>>;

/// The pictures of the last seconds, by machine.
#[derive(Default)]
pub(crate) struct Pictures(Mutex<HashMap<Uuid, Place>>);

impl Pictures {
    /// A picture of a machine: a fresh one, if there is one at this time, or the one that `take` takes.
    pub(crate) async fn of(
        &self,
        machine: Uuid,
        now: Duration,
        take: impl Future<Output = Result<Bytes>>,
    ) -> Result<Bytes> {
        let place = self.place(machine, now);
        let mut last = place.lock().await;
        if let Some(picture) = last.as_ref().filter(|picture| picture.is_fresh(now)) {
            return Ok(picture.content.clone());
        }
        let content = take.await?;
        *last = Some(Picture { taken: now, content: content.clone() });
        Ok(content)
    }

    fn place(&self, machine: Uuid, now: Duration) -> Place {
        let mut places = self.0.lock();
        // Only what is fresh or asked for is kept.
        places.retain(|_, place| {
            let is_fresh =
                || place.try_lock().is_none_or(|last| last.as_ref().is_some_and(|last| last.is_fresh(now)));
            Arc::strong_count(place) > 1 || is_fresh()
        });
        Arc::clone(places.entry(machine).or_default())
    }
}

#[cfg(test)]
mod tests {
    use croft_api::Error;
    use futures_util::{FutureExt as _, future::join};

    use super::*;

    fn picture(text: &'static str) -> impl Future<Output = Result<Bytes>> {
        std::future::ready(Ok(Bytes::from_static(text.as_bytes())))
    }

    fn seconds(count: u64) -> Duration {
        Duration::from_secs(count)
    }

    #[test]
    fn one_picture_is_for_everybody_who_looks_in_the_same_seconds() {
        let pictures = Pictures::default();
        let machine = Uuid::from_u128(1);
        let now = |second, take| pictures.of(machine, seconds(second), take).now_or_never().unwrap().unwrap();
        assert_eq!(now(10, picture("first")), "first");
        assert_eq!(now(14, picture("second")), "first");
        assert_eq!(now(15, picture("third")), "third");
        let other = pictures.of(Uuid::from_u128(2), seconds(15), picture("other"));
        assert_eq!(other.now_or_never().unwrap().unwrap(), "other");
        assert_eq!(pictures.0.lock().len(), 2);
        assert_eq!(now(30, picture("fourth")), "fourth");
        assert_eq!(pictures.0.lock().len(), 1, "what nobody looks at is not kept");
    }

    #[test]
    fn those_who_wait_get_the_picture_that_is_being_taken() {
        let pictures = Pictures::default();
        let machine = Uuid::from_u128(1);
        let (sender, receiver) = futures_channel::oneshot::channel();
        let first = pictures.of(machine, seconds(1), async { Ok(receiver.await.unwrap()) });
        let second = pictures.of(machine, seconds(2), picture("not taken"));
        let mut both = Box::pin(join(first, second));
        assert!(both.as_mut().now_or_never().is_none());
        sender.send(Bytes::from_static(b"taken")).unwrap();
        let (first, second) = both.now_or_never().unwrap();
        assert_eq!(
            (first.unwrap(), second.unwrap()),
            (Bytes::from_static(b"taken"), Bytes::from_static(b"taken"))
        );
    }

    #[test]
    fn a_picture_that_could_not_be_taken_is_tried_again() {
        let pictures = Pictures::default();
        let machine = Uuid::from_u128(1);
        let failing = std::future::ready(Err(Error::unavailable("no").into()));
        assert!(pictures.of(machine, seconds(1), failing).now_or_never().unwrap().is_err());
        let again = pictures.of(machine, seconds(1), picture("there"));
        assert_eq!(again.now_or_never().unwrap().unwrap(), "there");
    }
}
