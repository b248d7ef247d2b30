//! Rate limits for guessing passwords (`docs/rules/identity-and-system.md#guessing-passwords`).
//!
//! Attempts are delayed before the password is checked, so that guessing many passwords takes time. There is no
//! separate error. What is counted:
//!
//! - attempts from one address (IPv6: one /64) on any account: after [`ADDRESS_BURST`] without delay, one each second;
//! - attempts on one account from addresses that have not signed in to it before: after [`ACCOUNT_BURST`] without
//!   delay, one every two seconds, so that each waits longer than the one before, up to [`MAX_ACCOUNT_WAIT`]. An attack
//!   from many places delays the owner at a new address by less than a minute, and never locks them out;
//! - attempts on one account from an address that has signed in to it before: only at the rate of an address. So
//!   neither attacks from elsewhere, nor attacks on other accounts from a shared address, delay the owner there.
//!
//! Attempts with a delay of more than [`MAX_WAIT`] are refused immediately and not counted, so that an address
//! recovers within a minute after the last attempt. The counts are in memory only.

use std::{
    collections::{HashMap, VecDeque},
    net::{IpAddr, Ipv6Addr},
};

use jiff::{SignedDuration, Timestamp};

/// Number of attempts from one address without a delay.
pub const ADDRESS_BURST: i32 = 20;
/// Number of attempts on one account from unknown addresses without a delay.
pub const ACCOUNT_BURST: i32 = 10;
/// Maximum delay caused by one account: shorter than the minute after which clients and proxies time out.
pub const MAX_ACCOUNT_WAIT: SignedDuration = SignedDuration::from_secs(50);
/// Maximum delay of an address. Further attempts are refused.
pub const MAX_WAIT: SignedDuration = SignedDuration::from_secs(20);

const ADDRESS_INTERVAL: SignedDuration = SignedDuration::from_secs(1);
const ACCOUNT_INTERVAL: SignedDuration = SignedDuration::from_secs(2);
/// Maximum number of addresses remembered for one account.
const KNOWN_ADDRESSES: usize = 8;
/// Maximum number of addresses and of accounts.
const CAPACITY: usize = 10_000;

/// What to do with an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// Check the password after this delay, which may be zero.
    After(SignedDuration),
    /// Answer as to a wrong password, without checking it.
    Refused,
}

/// Counts attempts to sign in. The caller provides the time.
#[derive(Debug, Default)]
pub struct Throttle {
    addresses: HashMap<IpAddr, AttemptRate>,
    accounts: HashMap<String, Account>,
}

/// The time at which the next attempt is due. The further in the future, the more attempts there were.
#[derive(Clone, Copy, Debug, Default)]
struct AttemptRate {
    due: Timestamp,
}

#[derive(Debug, Default)]
struct Account {
    pace: AttemptRate,
    known: VecDeque<KnownAddress>,
}

/// An address that has signed in to an account.
#[derive(Debug)]
struct KnownAddress {
    address: IpAddr,
    pace: AttemptRate,
}

impl AttemptRate {
    fn wait(self, now: Timestamp, interval: SignedDuration, burst: i32) -> SignedDuration {
        (self.due.duration_since(now) - interval * (burst - 1)).max(SignedDuration::ZERO)
    }

    fn count(&mut self, now: Timestamp, interval: SignedDuration) {
        self.due = self.due.max(now).checked_add(interval).unwrap_or(Timestamp::MAX);
    }

    /// Counts an attempt at the rate of an address.
    fn admit(&mut self, now: Timestamp) -> Admission {
        let wait = self.wait(now, ADDRESS_INTERVAL, ADDRESS_BURST);
        if wait > MAX_WAIT {
            return Admission::Refused;
        }
        self.count(now, ADDRESS_INTERVAL);
        Admission::After(wait)
    }
}

impl Account {
    /// Counts an attempt from an unknown address.
    fn wait(&mut self, now: Timestamp) -> SignedDuration {
        let wait = self.pace.wait(now, ACCOUNT_INTERVAL, ACCOUNT_BURST).min(MAX_ACCOUNT_WAIT);
        self.pace.count(now, ACCOUNT_INTERVAL);
        // The due time is capped, so that a long attack has no effect long after its end.
        let longest = ACCOUNT_INTERVAL * ACCOUNT_BURST + MAX_ACCOUNT_WAIT;
        self.pace.due = self.pace.due.min(now.checked_add(longest).unwrap_or(Timestamp::MAX));
        wait
    }
}

impl Throttle {
    /// Counts an attempt and returns its delay. `account` identifies silo and user, whether they exist or not.
    pub fn admit(&mut self, now: Timestamp, account: &str, address: IpAddr) -> Admission {
        let address = network(address);
        if let Some(by_account) = self.accounts.get_mut(account)
            && let Some(known) = by_account.known.iter_mut().find(|known| known.address == address)
        {
            return known.pace.admit(now);
        }
        let Admission::After(wait) = self.admit_address(now, address) else { return Admission::Refused };
        let by_account = self.accounts.entry(account.to_owned()).or_default();
        Admission::After(wait.max(by_account.wait(now)))
    }

    /// Counts an attempt that belongs to no account, and returns its delay.
    pub fn admit_address(&mut self, now: Timestamp, address: IpAddr) -> Admission {
        self.make_room(now);
        self.addresses.entry(network(address)).or_default().admit(now)
    }

    /// Records that this address signed in to this account. Only this attempt is removed from the count of the address:
    /// otherwise, whoever has an account could guess the passwords of others without limit.
    pub fn succeeded(&mut self, account: &str, address: IpAddr) {
        let address = network(address);
        let by_account = self.accounts.entry(account.to_owned()).or_default();
        let place = by_account.known.iter().position(|known| known.address == address);
        let mut known = place.and_then(|place| by_account.known.remove(place)).unwrap_or_else(|| {
            if let Some(pace) = self.addresses.get_mut(&address) {
                pace.due = pace.due.checked_sub(ADDRESS_INTERVAL).unwrap_or(Timestamp::MIN);
            }
            KnownAddress { address, pace: AttemptRate::default() }
        });
        known.pace = AttemptRate::default();
        by_account.known.push_front(known);
        by_account.known.truncate(KNOWN_ADDRESSES);
    }

    /// Removes entries without a delay; if that is not enough, those of unknown addresses; and if that is not enough,
    /// everything.
    fn make_room(&mut self, now: Timestamp) {
        if self.addresses.len() >= CAPACITY {
            self.addresses.retain(|_, pace| pace.due > now);
            if self.addresses.len() >= CAPACITY {
                self.addresses.clear();
            }
        }
        if self.accounts.len() >= CAPACITY {
            self.accounts.retain(|_, account| account.pace.due > now || !account.known.is_empty());
            if self.accounts.len() >= CAPACITY {
                self.accounts.retain(|_, account| !account.known.is_empty());
            }
            if self.accounts.len() >= CAPACITY {
                self.accounts.clear();
            }
        }
    }
}

/// The unit in which addresses are counted: an IPv4 address, or an IPv6 /64, because one host can use any address of
/// it.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & !u128::from(u64::MAX))),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_second(1_000_000 + seconds).unwrap()
    }

    fn v4(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    fn seconds(admission: Admission) -> Option<i64> {
        match admission {
            Admission::After(wait) => Some(wait.as_secs()),
            Admission::Refused => None,
        }
    }

    #[test]
    fn delays_grow_after_the_first_attempts() {
        let mut throttle = Throttle::default();
        let waits: Vec<_> =
            (0..37).map(|guess| seconds(throttle.admit(at(0), "croft/admin", v4(guess)))).collect();
        let mut expected = vec![Some(0); 10];
        expected.extend((1..=25).map(|turn| Some(2 * turn)));
        expected.extend([Some(50), Some(50)]);
        assert_eq!(waits, expected);
    }

    #[test]
    fn address_guessing_many_accounts_is_delayed_then_refused() {
        let mut throttle = Throttle::default();
        let waits: Vec<_> = (0..50)
            .map(|number| seconds(throttle.admit(at(0), &format!("croft/user{number}"), v4(1))))
            .collect();
        assert!(waits[..20].iter().all(|wait| *wait == Some(0)), "{waits:?}");
        assert_eq!(waits[20], Some(1));
        assert_eq!(waits[39], Some(20));
        assert!(waits[40..].iter().all(Option::is_none), "{waits:?}");
        assert_eq!(seconds(throttle.admit(at(60), "croft/user0", v4(1))), Some(0), "the delay has passed");
    }

    #[test]
    fn a_known_address_is_not_delayed_by_guesses_from_others() {
        let mut throttle = Throttle::default();
        throttle.succeeded("croft/admin", v4(9));
        for guess in 0..200 {
            throttle.admit(at(0), "croft/admin", v4(guess % 8));
        }
        assert_eq!(seconds(throttle.admit(at(0), "croft/admin", v4(9))), Some(0));
        assert_eq!(
            seconds(throttle.admit(at(0), "croft/admin", v4(10))),
            Some(50),
            "less than a minute from a new address"
        );
    }

    #[test]
    fn a_shared_known_address_is_not_delayed_by_guesses_on_other_accounts() {
        let mut throttle = Throttle::default();
        throttle.succeeded("croft/admin", v4(1));
        for guess in 0..200 {
            throttle.admit(at(0), &format!("croft/user{guess}"), v4(1));
        }
        assert_eq!(throttle.admit(at(0), "croft/newcomer", v4(1)), Admission::Refused);
        assert_eq!(seconds(throttle.admit(at(0), "croft/admin", v4(1))), Some(0));
    }

    #[test]
    fn guesses_from_a_known_address_are_delayed() {
        let mut throttle = Throttle::default();
        throttle.succeeded("croft/admin", v4(1));
        let waits: Vec<_> = (0..50).map(|_| seconds(throttle.admit(at(0), "croft/admin", v4(1)))).collect();
        assert!(waits[..20].iter().all(|wait| *wait == Some(0)), "{waits:?}");
        assert!(waits[41..].iter().all(Option::is_none), "{waits:?}");
        assert_eq!(seconds(throttle.admit(at(41), "croft/admin", v4(1))), Some(0), "the delay has passed");
    }

    #[test]
    fn delay_decays_soon_after_a_long_attack() {
        let mut throttle = Throttle::default();
        for second in 0..10_000 {
            throttle.admit(at(second), "croft/admin", v4(u8::try_from(second % 200).unwrap()));
            throttle.admit(at(second), "croft/admin", v4(u8::try_from((second + 100) % 200).unwrap()));
        }
        assert_eq!(seconds(throttle.admit(at(10_000), "croft/admin", v4(250))), Some(50));
        assert_eq!(seconds(throttle.admit(at(10_030), "croft/admin", v4(251))), Some(22));
        assert_eq!(seconds(throttle.admit(at(10_060), "croft/admin", v4(252))), Some(0));
    }

    #[test]
    fn successful_sign_ins_do_not_reset_the_delay_of_an_address() {
        let mut throttle = Throttle::default();
        let mut free = 0;
        for guess in 0..200 {
            let admission = throttle.admit(at(0), &format!("croft/user{guess}"), v4(1));
            free += i32::from(seconds(admission) == Some(0));
            if throttle.admit(at(0), "croft/mallory", v4(1)) != Admission::Refused {
                throttle.succeeded("croft/mallory", v4(1));
            }
        }
        assert!(free <= ADDRESS_BURST, "{free}");
    }

    #[test]
    fn many_users_of_one_address_sign_in_without_delay() {
        let mut throttle = Throttle::default();
        for person in 0..500 {
            let account = format!("croft/user{person}");
            assert_eq!(seconds(throttle.admit(at(0), &account, v4(1))), Some(0), "{person}");
            throttle.succeeded(&account, v4(1));
        }
    }

    #[test]
    fn unknown_accounts_do_not_evict_known_addresses() {
        let mut throttle = Throttle::default();
        throttle.succeeded("croft/admin", v4(9));
        for number in 0..30_000_u32 {
            let [a, b, c, d] = number.to_be_bytes();
            throttle.admit(at(0), &format!("croft/user{number}"), IpAddr::from([10 + a, b, c, d]));
        }
        for guess in 0..100 {
            throttle.admit(at(0), "croft/admin", v4(guess % 8));
        }
        assert_eq!(seconds(throttle.admit(at(0), "croft/admin", v4(9))), Some(0));
    }

    #[test]
    fn a_network_of_ipv6_counts_as_one_address() {
        let mut throttle = Throttle::default();
        for host in 0..60_u16 {
            throttle.admit(
                at(0),
                &format!("croft/user{host}"),
                IpAddr::from([0x2001, 0xdb8, 0, 1, 0, 0, 0, host]),
            );
        }
        let neighbour = IpAddr::from([0x2001, 0xdb8, 0, 1, 9, 9, 9, 9]);
        assert_eq!(throttle.admit(at(0), "croft/admin", neighbour), Admission::Refused);
        let elsewhere = IpAddr::from([0x2001, 0xdb8, 0, 2, 9, 9, 9, 9]);
        assert_eq!(seconds(throttle.admit(at(0), "croft/admin", elsewhere)), Some(0));
    }

    #[test]
    fn memory_is_bounded() {
        let mut throttle = Throttle::default();
        for number in 0..30_000_u32 {
            let [a, b, c, d] = number.to_be_bytes();
            throttle.admit(at(0), &format!("croft/user{number}"), IpAddr::from([10 + a, b, c, d]));
        }
        assert!(throttle.addresses.len() <= CAPACITY && throttle.accounts.len() <= CAPACITY);
    }
}
