//! Password hashing on separate threads, with a limit, because each job needs a core and much memory.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::Relaxed},
    },
    time::Duration,
};

use argon2::{
    Algorithm, Argon2, Params, Version,
    password_hash::{PasswordHasher as _, PasswordVerifier as _},
};
use croft_api::{Error, Result, scalar::Password};
use croft_control::password as rules;
use croft_http::{Passwords, Pending};
use tokio::sync::Semaphore;
use zxcvbn::{Score, zxcvbn};

/// Memory of one hash, in KiB: the second recommendation of RFC 9106.
#[cfg(not(test))]
const MEMORY: u32 = 64 * 1024;
/// Number of passes: about 250 ms on one core of 2026.
#[cfg(not(test))]
const PASSES: u32 = 4;
/// Cheap, because unit tests check behavior only.
#[cfg(test)]
const MEMORY: u32 = 64;
#[cfg(test)]
const PASSES: u32 = 1;

/// Maximum number of waiting jobs; more are refused.
const MAX_WAITING: usize = 16;

/// A new hash in PHC form.
pub fn hash(password: &Password) -> Result<String> {
    let hash = hasher().hash_password(password.reveal().as_bytes()).map_err(Error::internal)?;
    Ok(hash.to_string())
}

/// The hash of a new password of the user with this name, if it meets the requirements.
pub fn hash_new(password: &Password, user_name: &str) -> Result<String> {
    rules::check(password, user_name)?;
    if is_easily_guessed(password, user_name) {
        return Err(rules::too_common());
    }
    hash(password)
}

/// Whether a guesser with common passwords, words, names, dates, keyboard patterns and their variations succeeds within
/// a million attempts. The list of the 30 000 most common passwords comes with `zxcvbn`.
fn is_easily_guessed(password: &Password, user_name: &str) -> bool {
    zxcvbn(password.reveal(), &[user_name, "croft"]).score() < Score::Two
}

/// Generates a password: 24 letters and digits, more than 120 bits.
pub fn generate() -> Result<String> {
    /// Without letters and digits that look alike; 32 of them, so that all are equally likely.
    const ALPHABET: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes).map_err(Error::internal)?;
    let letters: Vec<_> = bytes.iter().map(|byte| char::from(ALPHABET[usize::from(byte % 32)])).collect();
    Ok(letters.chunks(6).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join("-"))
}

fn hasher() -> Argon2<'static> {
    let params =
        Params::new(MEMORY, PASSES, 1, None).expect("the parameters are within the algorithm's limits");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, params)
}

/// The limit for hashing threads.
pub struct PasswordPool {
    workers: Arc<Semaphore>,
    waiting: Arc<AtomicUsize>,
}

impl PasswordPool {
    /// At most `workers` hashes at a time.
    pub fn new(workers: usize) -> Self {
        Self { workers: Arc::new(Semaphore::new(workers)), waiting: Arc::default() }
    }

    /// Runs a job on its own thread once a worker is free.
    fn run<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Pending<Result<T>> {
        let (workers, waiting) = (self.workers.clone(), self.waiting.clone());
        Box::pin(async move {
            let position = QueuePosition::take(waiting)?;
            let worker = workers.acquire_owned().await.map_err(Error::internal)?;
            drop(position);
            let done = tokio::task::spawn_blocking(move || {
                let result = job();
                drop(worker);
                result
            });
            done.await.map_err(Error::internal)
        })
    }
}

impl Passwords for PasswordPool {
    fn pause(&self, time: Duration) -> Pending<()> {
        Box::pin(tokio::time::sleep(time))
    }

    fn verify(&self, password: Password, hash: Option<String>) -> Pending<Result<bool>> {
        self.run(move || {
            if let Some(hash) = hash {
                return verify(&password, &hash);
            }
            // The same work as for an existing user, and always false.
            let _ = std::hint::black_box(self::hash(&password));
            false
        })
    }

    fn hash(&self, password: Password, user_name: String) -> Pending<Result<String>> {
        let hashed = self.run(move || hash_new(&password, &user_name));
        Box::pin(async move { hashed.await? })
    }
}

fn verify(password: &Password, hash: &str) -> bool {
    // The hash contains its parameters, so old passwords remain valid when the cost is raised.
    hasher().verify_password(password.reveal().as_bytes(), hash).is_ok()
}

/// A place in the queue; released when dropped, also when the client disconnects.
struct QueuePosition(Arc<AtomicUsize>);

impl QueuePosition {
    fn take(waiting: Arc<AtomicUsize>) -> Result<Self> {
        let before = waiting.fetch_add(1, Relaxed);
        let position = Self(waiting);
        if before < MAX_WAITING {
            Ok(position)
        } else {
            Err(Error::unavailable("too many passwords at once"))
        }
    }
}

impl Drop for QueuePosition {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn password(text: &str) -> Password {
        text.parse().unwrap()
    }

    #[tokio::test]
    async fn correct_wrong_and_missing_passwords() {
        let pool = PasswordPool::new(1);
        let stored = hash(&password("correct horse")).unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m="), "{stored}");
        assert!(pool.verify(password("correct horse"), Some(stored.clone())).await.unwrap());
        assert!(!pool.verify(password("correct horse "), Some(stored)).await.unwrap());
        assert!(!pool.verify(password("correct horse"), None).await.unwrap());
        assert!(!pool.verify(password(""), Some("not a hash".into())).await.unwrap());
        let hashed = pool.hash(password("another staple"), "ada".to_owned()).await.unwrap();
        assert!(pool.verify(password("another staple"), Some(hashed)).await.unwrap());
    }

    #[tokio::test]
    async fn common_passwords_are_refused() {
        let pool = PasswordPool::new(1);
        let common = [
            "123456789012",
            "111111111111",
            "abcabcabcabc",
            "qwertyuiop12",
            "passwordpassword",
            "Password1234",
            "iloveyou1234",
            "administrator",
            "unbelievable",
            "croftcroftcroft",
            "ada.lovelace",
            "Ada.Lovelace1",
        ];
        for text in common {
            let refused = pool.hash(password(text), "ada.lovelace".to_owned()).await;
            assert!(refused.is_err(), "{text}");
        }
        let message = pool.hash(password("passwordpassword"), String::new()).await.unwrap_err().message();
        assert!(message.contains("choose several unrelated words"), "{message}");
        for text in ["correct horse battery", "päss wörd über alles", &generate().unwrap()] {
            pool.hash(password(text), "ada".to_owned()).await.unwrap();
        }
    }

    /// Long enough for the rules, but among the most common passwords.
    const COMMON: &str = "123456789012 123456789123 123456789101 123456789000 123456789abc 123456789asd 123456789qaz \
        123456789qqq 123456789qwe 123456789qwer 123456789qwerty 123456789zxc 1234567890qaz 1234567890qw 1234567890qwe \
        1234567890qwerty 1234567890zzz 1234567892000 1234567887654321 12345678900987654321 1234567890987654321 \
        12345678987654321 123456789987654321 123456654321 123456782000 123456qwerty 1234567qwertyu 123321456654 \
        123321qweewq 123123qweqwe 1234qwerasdf 1234qwerasdfzxcv 123qwe456rty 123qweasdzxc 123qwerty123 \
        012345678910 010203040506 014702580369 102030405060 111222333000 111222333444555 112233445566 \
        122333444455555 1111111111zz 12qw34er56ty 159753456852 1a2s3d4f5g6h 1q2w3e4r5t6y 1qa2ws3ed4rf \
        1qa2ws3ed4rf5tg 1qaz2wsx3edc 1qaz2wsx3edc4rfv 1qazxsw23edc 1qazxsw23edcvfr4 4815162342lost \
        a1s2d3f4g5h6 abc123456789 asdfgh123456 asdfghjkl123 avrillavigne chickenwing101 christopher1 \
        contortionist counterstrike devilmaycry4 finalfantasy frederiksberg greenlantern \
        ilovemyfamily ingodwetrust iseedeadpeople jamesbond007 justinbieber leavemealone lost4815162342 \
        massimiliano michaeljackson minecraft123 morganstanley mortalkombat needforspeed nightcrawler \
        password1234 passwordstandard peanutbutter playstation2 playstation3 punksnotdead q1w2e3r4t5y6 \
        q1w2e3r4t5y6u7 q1w2e3r4t5y6u7i8 q1w2e3r4t5y6u7i8o9p0 qawsedrftgyh qaz123wsx456 qazwsxedc123 \
        qazwsxedcrfv qazwsxedcrfvtgb qazxswedc123 qazxswedcvfr qwaszxerdfcv qweasdzxc123 qwerasdfzxcv \
        qwertasdfgzxcvb qwerty123456 qwerty123456789 qwertyasdfgh qwertyqwerty qwertyuiop10 qwertyuiop12 \
        qwertyuiop123 qwertyuiop12345 qwertyytrewq residentevil sanfrancisco sonnenschein sonyericsson stinkyfinger \
        stratocaster systemofadown temppassword thecakeisalie ticketmaster vladimirovna warhammer40k \
        websolutions weihnachtsbaum whosyourdaddy xxxp455w0rd5 z1x2c3v4b5n6m7 zaq1xsw2cde3 zaqwsxcderfv \
        zxcasdqwe123 zxcvbn123456 zxcvbnm123456789 passwordpassword password12345 password123456 iloveyouiloveyou \
        administrator administrator1 letmeinletmein welcome12345 qwerty12345678 abcdefghijkl abcdef123456 \
        aaaaaaaaaaaa 000000000000 111111111111 999999999999 121212121212 123123123123 asdfasdfasdf";

    #[test]
    fn common_passwords_of_enough_characters_are_refused() {
        let common: Vec<_> = COMMON.split_whitespace().collect();
        assert!(common.len() > 150);
        let taken: Vec<_> =
            common.into_iter().filter(|text| !is_easily_guessed(&password(text), "ada")).collect();
        assert_eq!(taken, [""; 0]);
    }

    #[test]
    fn generated_passwords_differ() {
        let (one, other) = (generate().unwrap(), generate().unwrap());
        assert_ne!(one, other);
        assert_eq!(one.len(), 27);
    }

    #[tokio::test]
    async fn full_queue_refuses_until_it_empties() {
        let pool = PasswordPool::new(1);
        let worker = pool.workers.clone().acquire_owned().await.unwrap();
        let waiting: Vec<_> =
            (0..MAX_WAITING).map(|_| tokio::spawn(pool.verify(password("a"), None))).collect();
        while pool.waiting.load(Relaxed) < MAX_WAITING {
            tokio::task::yield_now().await;
        }
        let refused = pool.verify(password("a"), None).await;
        assert!(matches!(refused, Err(Error::Unavailable { .. })));
        drop(worker);
        for job in waiting {
            assert!(!job.await.unwrap().unwrap());
        }
        assert_eq!(pool.waiting.load(Relaxed), 0);
    }
}
