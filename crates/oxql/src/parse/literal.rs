use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use jiff::{
    Timestamp,
    civil::{Date, DateTime, Time},
    tz::TimeZone,
};
use lexical_parse_float::FromLexical as _;
use uuid::Uuid;

use super::{Parser, SyntaxError};
use crate::language::{Duration, DurationUnit, Literal};

const TIMESTAMP: &str =
    "timestamp literal: YYYY-MM-DD, HH:MM:SS[.f], YYYY-MM-DDTHH:MM:SS[.f] or now() with an offset, in UTC";

impl Parser<'_> {
    pub(super) fn literal(&mut self) -> Result<Literal, SyntaxError> {
        match self.cursor.peek() {
            Some('"') => self.quoted('"').map(|text| double_quoted(text.raw, text.value)),
            Some('\'') => self.quoted('\'').map(|text| Literal::String(text.value)),
            Some('@') => self.timestamp().map(Literal::Timestamp),
            Some('-' | '.' | '0'..='9') => self.number(),
            _ if self.cursor.is_at("true") => {
                self.cursor.advance(4);
                Ok(Literal::Boolean(true))
            }
            _ if self.cursor.is_at("false") => {
                self.cursor.advance(5);
                Ok(Literal::Boolean(false))
            }
            _ => Err(self
                .cursor
                .error("boolean, double, duration, integer, ip address, string, timestamp or uuid literal")),
        }
    }

    fn number(&mut self) -> Result<Literal, SyntaxError> {
        if let Some(length) = double_length(self.cursor.rest()) {
            let start = self.cursor.position();
            let text = &self.cursor.rest()[..length];
            self.cursor.advance(length);
            // Every text of this form can be parsed; values that are too large become infinite.
            return match f64::from_lexical(text.as_bytes()) {
                Ok(value) if value.is_finite() => Ok(Literal::Double(value)),
                _ => Err(self.cursor.error_at(start, "finite double literal")),
            };
        }
        let digits = digits_length(self.cursor.rest());
        if unit(&self.cursor.rest()[digits..]).is_some() {
            return self.duration().map(Literal::Duration);
        }
        self.integer().map(Literal::Integer)
    }

    /// An integer from -2^63 to 2^64-1, decimal or hexadecimal.
    pub(super) fn integer(&mut self) -> Result<i128, SyntaxError> {
        let start = self.cursor.position();
        let rest = self.cursor.rest();
        let length = digits_length(rest);
        let negative = rest.starts_with('-');
        let overflow = if negative { "negative overflow" } else { "positive overflow" };
        let digits = rest[..length].trim_start_matches('-');
        if digits.is_empty() {
            return Err(self.cursor.unexpected("integer literal"));
        }
        let (digits, radix) = digits.strip_prefix("0x").map_or((digits, 10), |digits| (digits, 16));
        // There are only digits of the radix, so the only possible error is overflow.
        let Ok(magnitude) = i128::from_str_radix(digits, radix) else {
            return Err(self.cursor.error_at(start, overflow));
        };
        let value = if negative { -magnitude } else { magnitude };
        if !(i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(&value) {
            return Err(self.cursor.error_at(start, overflow));
        }
        self.cursor.advance(length);
        Ok(value)
    }

    pub(super) fn duration(&mut self) -> Result<Duration, SyntaxError> {
        let start = self.cursor.position();
        let rest = self.cursor.rest();
        let length = digits_length(rest);
        let Some(unit) = (length > 0).then(|| unit(&rest[length..])).flatten() else {
            return Err(self.cursor.unexpected("duration literal"));
        };
        let count = self.integer().ok().and_then(|count| u32::try_from(count).ok());
        let Some(count) = count else {
            return Err(self.cursor.error_at(start, "invalid count for duration literal"));
        };
        self.cursor.advance(unit.as_str().len());
        let overflow = || self.cursor.error_at(start, "overflowed duration literal");
        Duration::new(count, unit).ok_or_else(overflow)
    }

    fn quoted(&mut self, quote: char) -> Result<Quoted<'_>, SyntaxError> {
        self.cursor.advance(quote.len_utf8());
        let raw = self.cursor.rest();
        let Some(end) = raw.find(quote) else {
            self.cursor.advance(raw.len());
            return Err(self.cursor.error(if quote == '"' { "closing \"" } else { "closing '" }));
        };
        let raw = &raw[..end];
        let mut value = String::with_capacity(raw.len());
        let mut rest = raw;
        while let Some(backslash) = rest.find('\\') {
            value.push_str(&rest[..backslash]);
            let Some((character, length)) = escaped(&rest[backslash + 1..]) else {
                let position = self.cursor.position() + raw.len() - rest.len() + backslash;
                return Err(self.cursor.error_at(position, r"escape \n, \r, \t, \\, \0 or \u{...}"));
            };
            value.push(character);
            rest = &rest[backslash + 1 + length..];
        }
        value.push_str(rest);
        self.cursor.advance(end + quote.len_utf8());
        Ok(Quoted { raw, value })
    }

    fn timestamp(&mut self) -> Result<i64, SyntaxError> {
        let start = self.cursor.position();
        self.cursor.advance(1);
        if self.cursor.is_at("now()") {
            self.cursor.advance(5);
            return self.offset_from_now();
        }
        let text = self
            .cursor
            .take_while(|character| character.is_ascii_digit() || matches!(character, '-' | ':' | '.' | 'T'));
        let today = || TimeZone::UTC.to_datetime(self.now).date();
        let time = match text.split_once('T') {
            Some((date, time)) => self::date(date).zip(self::time(time)),
            None if text.contains(':') => self::time(text).map(|time| (today(), time)),
            None => self::date(text).map(|date| (date, Time::midnight())),
        };
        let time =
            time.and_then(|(date, time)| TimeZone::UTC.to_timestamp(DateTime::from_parts(date, time)).ok());
        time.map(nanoseconds).ok_or_else(|| self.cursor.error_at(start, TIMESTAMP))
    }

    /// The optional offset after `@now()`: `+` or `-` and a duration.
    fn offset_from_now(&mut self) -> Result<i64, SyntaxError> {
        let now = nanoseconds(self.now);
        let signed = self.cursor.rest().trim_start_matches([' ', '\t', '\n']);
        if !signed.starts_with(['+', '-']) {
            return Ok(now);
        }
        self.cursor.skip_space();
        let forward = self.cursor.eat("+");
        if !forward {
            self.cursor.eat("-");
        }
        self.cursor.skip_space();
        let offset = self.duration()?.nanoseconds();
        Ok(if forward { now.saturating_add_unsigned(offset) } else { now.saturating_sub_unsigned(offset) })
    }
}

/// A quoted text, as written and unescaped.
struct Quoted<'a> {
    raw: &'a str,
    value: String,
}

/// Text in double quotes that looks like a UUID or an address is one.
fn double_quoted(raw: &str, value: String) -> Literal {
    if let Some(uuid) = uuid(raw) {
        return Literal::Uuid(uuid);
    }
    if let Ok(address) = raw.parse::<Ipv4Addr>() {
        return Literal::IpAddr(IpAddr::V4(address));
    }
    if !raw.contains(|character: char| character == '.' || character.is_ascii_uppercase())
        && let Ok(address) = raw.parse::<Ipv6Addr>()
    {
        return Literal::IpAddr(IpAddr::V6(address));
    }
    Literal::String(value)
}

/// A UUID with or without dashes. Other forms that some libraries accept are not supported.
fn uuid(text: &str) -> Option<Uuid> {
    let form = matches!(text.len(), 32 | 36);
    let characters = text.bytes().all(|byte| byte == b'-' || byte.is_ascii_hexdigit());
    if form && characters { Uuid::try_parse(text).ok() } else { None }
}

/// The character of an escape, and its length after the backslash.
fn escaped(text: &str) -> Option<(char, usize)> {
    Some(match text.chars().next()? {
        'n' => ('\n', 1),
        'r' => ('\r', 1),
        't' => ('\t', 1),
        '0' => ('\0', 1),
        '\\' => ('\\', 1),
        'u' => {
            let (digits, _) = text.strip_prefix("u{")?.split_once('}')?;
            let hexadecimal = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
            if !hexadecimal || !(1..=6).contains(&digits.len()) {
                return None;
            }
            (char::from_u32(u32::from_str_radix(digits, 16).ok()?)?, digits.len() + 3)
        }
        _ => return None,
    })
}

/// The length of the integer at the start of a text, with sign and radix; zero if there is none.
fn digits_length(text: &str) -> usize {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let sign = text.len() - unsigned.len();
    let run = |text: &str, digit: fn(&u8) -> bool| text.bytes().take_while(digit).count();
    if let Some(hexadecimal) = unsigned.strip_prefix("0x") {
        let digits = run(hexadecimal, u8::is_ascii_hexdigit);
        if digits > 0 {
            return sign + 2 + digits;
        }
    }
    match run(unsigned, u8::is_ascii_digit) {
        0 => 0,
        digits => sign + digits,
    }
}

/// The length of the number with a point or an exponent at the start of a text.
fn double_length(text: &str) -> Option<usize> {
    let run = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let sign = usize::from(text.starts_with('-'));
    let whole = run(sign);
    let mut end = sign + whole;
    let mut fraction = 0;
    let point = text[end..].starts_with('.');
    if point {
        fraction = run(end + 1);
        end += 1 + fraction;
    }
    if whole + fraction == 0 {
        return None;
    }
    if text[end..].starts_with('e') {
        let minus = usize::from(text[end + 1..].starts_with('-'));
        let digits = run(end + 1 + minus);
        if digits > 0 {
            return Some(end + 1 + minus + digits);
        }
    }
    point.then_some(end)
}

/// The unit of time at the start of a text.
fn unit(text: &str) -> Option<DurationUnit> {
    DurationUnit::ALL.into_iter().find(|unit| text.starts_with(unit.as_str()))
}

/// A number with exactly this many digits.
fn digits<T: std::str::FromStr>(text: &str, count: usize) -> Option<T> {
    let well_formed = text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit());
    if well_formed { text.parse().ok() } else { None }
}

fn date(text: &str) -> Option<Date> {
    let mut parts = text.split('-');
    let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    Date::new(digits(year, 4)?, digits(month, 2)?, digits(day, 2)?).ok()
}

fn time(text: &str) -> Option<Time> {
    let (text, fraction) = text.split_once('.').map_or((text, None), |(text, rest)| (text, Some(rest)));
    let mut parts = text.split(':');
    let (hour, minute, second) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    let nanosecond = match fraction {
        None => 0,
        Some(fraction) if (1..=9).contains(&fraction.len()) => digits(&format!("{fraction:0<9}"), 9)?,
        Some(_) => return None,
    };
    Time::new(digits(hour, 2)?, digits(minute, 2)?, digits(second, 2)?, nanosecond).ok()
}

/// A time in nanoseconds, saturating.
fn nanoseconds(time: Timestamp) -> i64 {
    let end = if time < Timestamp::UNIX_EPOCH { i64::MIN } else { i64::MAX };
    i64::try_from(time.as_nanosecond()).unwrap_or(end)
}
