//! A cache of responses that are reused while the database has not changed.
//!
//! Consoles and programs often repeat requests although nothing has changed. A response that depends only on the
//! database is stored with the [version](croft_store::Database::version) that it was read from. The same request with
//! the same credentials gets it again if the version is still the same, so that no rights have changed either.
//!
//! Entries expire after a second, because some things depend on the time only, such as the end of a session.

use std::{collections::HashMap, sync::Arc, time::Duration};

use bytes::Bytes;
use croft_api::Uuid;
use http::{HeaderMap, Method, Request, header};
use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};

use crate::{api_version, change_position, endpoint::Endpoint};

/// Maximum age of an entry.
const MAX_AGE: Duration = Duration::from_secs(1);
/// Minimum interval between removals of expired entries, if there is no room.
const SWEEP_INTERVAL: Duration = Duration::from_millis(100);
/// Maximum size of the cache in bytes.
const MAX_BYTES: usize = 16 << 20;

/// The body of a response that may be cached: its handler puts it into the extensions of the response.
#[derive(Clone)]
pub(crate) struct Reusable(pub(crate) Bytes);

/// The cache key: a hash of the request and its credentials. Secrets are not stored.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Key([u8; 32]);

impl Key {
    /// The key of a request; `None` if its response is never reused. `secure` tells whether the request was encrypted,
    /// because that decides which cookie counts.
    pub(crate) fn of<B>(request: &Request<B>, secure: bool) -> Option<Self> {
        let headers = request.headers();
        let is_signed = headers.contains_key(header::COOKIE) || headers.contains_key(header::AUTHORIZATION);
        if request.method() != Method::GET || !is_signed {
            return None;
        }
        let mut hash = Sha256::new();
        hash.update([u8::from(secure), u8::from(change_position::is_wanted(headers))]);
        let uri = request.uri().path_and_query().map_or("", |uri| uri.as_str());
        add(&mut hash, uri.as_bytes());
        for name in [header::COOKIE.as_str(), header::AUTHORIZATION.as_str(), api_version::NAME] {
            add_header(&mut hash, headers, name);
        }
        Some(Self(hash.finalize().into()))
    }
}

fn add_header(hash: &mut Sha256, headers: &HeaderMap, name: &str) {
    let values = headers.get_all(name);
    hash.update(values.iter().count().to_le_bytes());
    for value in values {
        add(hash, value.as_bytes());
    }
}

/// Adds a text with its length, so that the boundaries of texts are unambiguous.
fn add(hash: &mut Sha256, text: &[u8]) {
    hash.update(text.len().to_le_bytes());
    hash.update(text);
}

/// A cached response.
#[derive(Clone)]
pub(crate) struct CachedAnswer {
    /// The body, which is JSON.
    pub(crate) body: Bytes,
    /// The operation that it answers.
    pub(crate) endpoint: Arc<Endpoint>,
    /// The user that it was made for.
    pub(crate) caller: Uuid,
    /// The position of the change log that it was read at, if the client asked for it.
    pub(crate) position: Option<i64>,
    /// When it was created, by the monotonic clock.
    pub(crate) made: Duration,
}

impl CachedAnswer {
    fn size(&self) -> usize {
        size_of::<(Key, Self)>() + self.body.len()
    }

    fn is_fresh(&self, now: Duration) -> bool {
        now.saturating_sub(self.made) < MAX_AGE
    }
}

#[derive(Default)]
struct CachedAnswers {
    version: i64,
    answers: HashMap<Key, CachedAnswer>,
    bytes: usize,
    /// When expired entries were last removed, by the monotonic clock.
    swept: Duration,
}

impl CachedAnswers {
    fn remove(&mut self, key: &Key) {
        if let Some(removed) = self.answers.remove(key) {
            self.bytes -= removed.size();
        }
    }

    fn sweep(&mut self, now: Duration) {
        self.answers.retain(|_, prepared| prepared.is_fresh(now));
        self.bytes = self.answers.values().map(CachedAnswer::size).sum();
        self.swept = now;
    }
}

/// Cached responses of the database's latest version.
#[derive(Default)]
pub(crate) struct AnswerCache(Mutex<CachedAnswers>);

impl AnswerCache {
    /// The cached response to a request, if there is one for this version of the database.
    pub(crate) fn find(&self, key: &Key, version: i64, now: Duration) -> Option<CachedAnswer> {
        let kept = self.0.lock();
        let prepared = kept.answers.get(key).filter(|_| kept.version == version)?;
        prepared.is_fresh(now).then(|| prepared.clone())
    }

    /// Adds a response, if there is room. `version` is that of the database before the response was read from it.
    ///
    /// Valid entries are not evicted: if requests exceed the size of the cache, some of them are still answered from
    /// memory, instead of each evicting the next.
    pub(crate) fn keep(&self, key: Key, version: i64, prepared: CachedAnswer) {
        let mut kept = self.0.lock();
        // A slow read may be of an earlier version, which is obsolete.
        if version < kept.version {
            return;
        }
        if kept.version != version {
            *kept = CachedAnswers { version, ..CachedAnswers::default() };
        }
        kept.remove(&key);
        let size = prepared.size();
        if kept.bytes + size > MAX_BYTES && prepared.made.saturating_sub(kept.swept) >= SWEEP_INTERVAL {
            kept.sweep(prepared.made);
        }
        if kept.bytes + size <= MAX_BYTES {
            kept.bytes += size;
            kept.answers.insert(key, prepared);
        }
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderName;

    use super::*;

    fn key(uri: &str, headers: &[(HeaderName, &str)]) -> Option<Key> {
        let mut request = Request::get(uri);
        for (name, value) in headers {
            request = request.header(name, *value);
        }
        Key::of(&request.body(()).unwrap(), false)
    }

    fn prepared(body: &'static [u8], made: u64) -> CachedAnswer {
        CachedAnswer {
            body: Bytes::from_static(body),
            endpoint: Arc::new(Endpoint::new("disk_view", None)),
            caller: Uuid::nil(),
            position: None,
            made: Duration::from_millis(made),
        }
    }

    #[test]
    fn cache_key_depends_on_uri_and_headers() {
        let (cookie, token) = (header::COOKIE, header::AUTHORIZATION);
        let keys = [
            key("/v1/disks?project=a", &[(cookie.clone(), "session=1")]),
            key("/v1/disks?project=b", &[(cookie.clone(), "session=1")]),
            key("/v1/disks?project=a", &[(cookie.clone(), "session=2")]),
            key("/v1/disks?project=a", &[(cookie.clone(), "session="), (cookie.clone(), "1")]),
            key("/v1/disks?project=a", &[(token.clone(), "session=1")]),
            key("/v1/disks?project=a", &[(cookie.clone(), "session=1"), (token, "session=1")]),
            key(
                "/v1/disks?project=a",
                &[(cookie.clone(), "session=1"), (HeaderName::from_static(api_version::NAME), "1")],
            ),
        ];
        let keys: Vec<_> = keys.into_iter().map(Option::unwrap).collect();
        for (position, one) in keys.iter().enumerate() {
            assert!(keys[..position].iter().all(|other| other != one), "{position}");
        }
        assert!(key("/v1/disks?project=a", &[]).is_none(), "no credentials");
        let post = Request::post("/v1/disks").header(cookie, "session=1").body(()).unwrap();
        assert!(Key::of(&post, false).is_none());
    }

    #[test]
    fn cached_responses_expire_and_depend_on_data_version() {
        let answers = AnswerCache::default();
        let (one, two) = (Key([1; 32]), Key([2; 32]));
        let find = |key, version, now| {
            answers.find(key, version, Duration::from_millis(now)).map(|prepared| prepared.body)
        };
        answers.keep(one, 7, prepared(b"old", 500));
        assert_eq!(find(&one, 7, 1499).as_deref(), Some(&b"old"[..]));
        assert_eq!(find(&one, 7, 1500), None, "too old");
        assert_eq!(find(&one, 8, 600), None, "cached for another version");
        assert_eq!(find(&two, 7, 600), None, "not cached");
        answers.keep(two, 8, prepared(b"new", 500));
        assert_eq!(find(&one, 7, 600), None, "removed with its version");
        answers.keep(one, 7, prepared(b"late", 500));
        assert_eq!(find(&one, 7, 600), None, "responses of an earlier version are not stored");
        assert_eq!(find(&two, 8, 600).as_deref(), Some(&b"new"[..]));
    }

    #[test]
    fn cache_size_is_bounded() {
        let answers = AnswerCache::default();
        let large = |made| CachedAnswer { body: vec![0; MAX_BYTES / 3].into(), ..prepared(b"", made) };
        let find = |number, now| answers.find(&Key([number; 32]), 1, Duration::from_millis(now)).is_some();
        let keep = |number, made| {
            answers.keep(Key([number; 32]), 1, large(made));
            let kept = answers.0.lock();
            assert!(kept.bytes <= MAX_BYTES);
            assert_eq!(kept.bytes, kept.answers.values().map(CachedAnswer::size).sum::<usize>());
        };
        keep(1, 0);
        keep(2, 500);
        // Replacing an entry uses no additional memory.
        keep(2, 600);
        keep(3, 700);
        assert!(find(1, 700) && find(2, 700) && !find(3, 700), "valid entries are not replaced");
        keep(3, 1000);
        assert!(find(2, 1000) && find(3, 1000), "expired entries are removed to make room");
        let too_large = CachedAnswer { body: vec![0; MAX_BYTES].into(), ..prepared(b"", 1000) };
        answers.keep(Key([9; 32]), 1, too_large);
        assert!(!find(9, 1000) && find(3, 1000));
    }
}
