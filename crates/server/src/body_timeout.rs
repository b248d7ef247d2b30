//! Time limits for the body of a request.

use std::{
    pin::Pin,
    task::{Context, Poll, ready},
    time::Duration,
};

use croft_http::TooSlow;
use hyper::body::{Body, Frame, SizeHint};
use tokio::time::{Instant, Sleep, sleep_until};

/// Maximum time between two parts of a body.
pub const BETWEEN_PARTS: Duration = Duration::from_secs(30);
/// Maximum time for a whole body: enough for the largest one at 70 kB/s. Without it, a client could hold a connection
/// forever by sending a byte now and then.
pub const WHOLE_BODY: Duration = Duration::from_mins(2);

type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// Maximum time for an update archive: enough for the largest one at 600 kB/s.
const ARCHIVE: Duration = Duration::from_hours(2);
/// The path of uploads of update archives.
const ARCHIVES: &str = "/v1/system/update/repository";

/// The maximum time for the body of a request to this path.
pub fn whole_body(path: &str) -> Duration {
    if path == ARCHIVES { ARCHIVE } else { WHOLE_BODY }
}

/// A body that fails with [`TooSlow`] when a limit is exceeded. Time runs from the first read.
pub struct BodyTimeout<B> {
    body: B,
    whole: Duration,
    begun: Option<Instant>,
    /// Set while waiting for the client.
    end_of_wait: Option<Pin<Box<Sleep>>>,
}

impl<B> BodyTimeout<B> {
    /// Sets the limit for `body` as a whole.
    pub const fn new(body: B, whole: Duration) -> Self {
        Self { body, whole, begun: None, end_of_wait: None }
    }
}

impl<B> Body for BodyTimeout<B>
where
    B: Body + Unpin,
    B::Error: Into<BoxError>,
{
    type Data = B::Data;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<B::Data>, BoxError>>> {
        let this = &mut *self;
        let now = Instant::now();
        let deadline = *this.begun.get_or_insert(now) + this.whole;
        if now >= deadline {
            return Poll::Ready(Some(Err(TooSlow.into())));
        }
        if let Poll::Ready(frame) = Pin::new(&mut this.body).poll_frame(context) {
            this.end_of_wait = None;
            return Poll::Ready(frame.map(|frame| frame.map_err(Into::into)));
        }
        let end = || Box::pin(sleep_until(deadline.min(now + BETWEEN_PARTS)));
        ready!(this.end_of_wait.get_or_insert_with(end).as_mut().poll(context));
        Poll::Ready(Some(Err(TooSlow.into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use bytes::Bytes;
    use tokio::time::{Interval, interval};

    use super::*;

    /// A body that sends one byte at each tick and never ends.
    struct SlowBody(Interval);

    impl Body for SlowBody {
        type Data = Bytes;
        type Error = Infallible;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            context: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
            self.0.poll_tick(context).map(|_| Some(Ok(Frame::data(Bytes::from_static(b"x")))))
        }
    }

    /// Returns the number of parts and the time at which the body ends, if one byte arrives per interval.
    async fn parts(every: Duration) -> (usize, Duration) {
        let begun = Instant::now();
        let mut body = BodyTimeout::new(SlowBody(interval(every)), whole_body("/v1/disks"));
        let mut parts = 0;
        loop {
            match std::future::poll_fn(|context| Pin::new(&mut body).poll_frame(context)).await {
                Some(Ok(_)) => parts += 1,
                Some(Err(error)) => {
                    assert!(error.is::<TooSlow>(), "{error}");
                    return (parts, begun.elapsed());
                }
                None => panic!("the body has no end"),
            }
        }
    }

    // The paused clock of these tests advances only when all tasks wait, directly to the next timer; its resolution is
    // a millisecond.

    #[tokio::test(start_paused = true)]
    async fn sender_that_pauses_too_long_times_out() {
        let (parts, time) = parts(Duration::from_secs(40)).await;
        assert_eq!((parts, time.as_secs()), (1, BETWEEN_PARTS.as_secs()));
    }

    #[tokio::test(start_paused = true)]
    async fn sender_that_is_too_slow_times_out() {
        let (parts, time) = parts(Duration::from_secs(25)).await;
        assert_eq!((parts, time.as_secs()), (5, WHOLE_BODY.as_secs()));
    }
}
