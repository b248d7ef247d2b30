//! X.509 certificates, as far as Croft reads them: until when they are valid, what for, and whose key they carry.
//!
//! The structure is checked as a whole, and what is asked for is decoded. A library that decodes every kind of name and
//! extension is several times as much code, which browsers would fetch with the preview.

mod elements;

use std::fmt::Write as _;

pub use der::Error as Malformed;
use der::{
    Error, ErrorKind, FixedTag as _, Tag, Tagged as _,
    asn1::{AnyRef, BitStringRef, GeneralizedTime, IntRef, ObjectIdentifier, OctetStringRef, UtcTime},
};

use elements::{Elements, context};

const COMMON_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.4.3");
/// What parts of names are called.
const ATTRIBUTES: [(ObjectIdentifier, &str); 8] = [
    (COMMON_NAME, "CN"),
    (ObjectIdentifier::new_unwrap("2.5.4.6"), "C"),
    (ObjectIdentifier::new_unwrap("2.5.4.7"), "L"),
    (ObjectIdentifier::new_unwrap("2.5.4.8"), "ST"),
    (ObjectIdentifier::new_unwrap("2.5.4.10"), "O"),
    (ObjectIdentifier::new_unwrap("2.5.4.11"), "OU"),
    (ObjectIdentifier::new_unwrap("0.9.2342.19200300.100.1.25"), "DC"),
    (ObjectIdentifier::new_unwrap("1.2.840.113549.1.9.1"), "emailAddress"),
];
const SUBJECT_ALTERNATIVE_NAME: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.17");
const EXTENDED_KEY_USAGE: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.5.29.37");
const SERVER_AUTHENTICATION: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.5.5.7.3.1");

/// The highest version, as it is encoded: version 3.
const LAST_VERSION: u8 = 2;
/// Bytes of the longest serial number: 20, and one for a sign that some do not count.
const LONGEST_SERIAL_NUMBER: usize = 21;
/// The tag of a DNS name among the alternative names.
const DNS_NAME: Tag = context(2, false);

/// A certificate. Its signature is not checked.
#[derive(Clone, Debug)]
pub struct Certificate<'a> {
    begins: u64,
    expires: u64,
    subject: Vec<(ObjectIdentifier, &'a str)>,
    common_names: Vec<&'a str>,
    public_key: &'a [u8],
    extensions: Vec<(ObjectIdentifier, &'a [u8])>,
}

impl<'a> Certificate<'a> {
    /// Reads a certificate in DER.
    ///
    /// # Errors
    /// It is none, or something follows it.
    pub fn from_der(der: &'a [u8]) -> Result<Self, Error> {
        let mut outermost = Elements::of(der)?;
        let mut parts = outermost.within(Tag::Sequence)?;
        outermost.end()?;
        let signed = parts.within(Tag::Sequence)?;
        check_algorithm(&mut parts)?;
        parts.any()?.decode_as::<BitStringRef<'_>>()?;
        parts.end()?;
        Self::of_signed(signed)
    }

    fn of_signed(mut parts: Elements<'a>) -> Result<Self, Error> {
        if let Some(version) = parts.optional(context(0, true))? {
            let mut explicit = Elements::of(version.value())?;
            if explicit.any()?.decode_as::<u8>()? > LAST_VERSION {
                return Err(Tag::Integer.value_error().into());
            }
            explicit.end()?;
        }
        if parts.any()?.decode_as::<IntRef<'_>>()?.as_bytes().len() > LONGEST_SERIAL_NUMBER {
            return Err(Tag::Integer.value_error().into());
        }
        check_algorithm(&mut parts)?;
        name(&mut parts)?;
        let (begins, expires) = validity(parts.within(Tag::Sequence)?)?;
        let subject = name(&mut parts)?;
        let common_names =
            subject.iter().filter(|(kind, _)| *kind == COMMON_NAME).map(|(_, text)| *text).collect();
        let public_key = parts.whole()?;
        check_public_key(public_key)?;
        // Ids of issuer and subject, which nobody uses.
        for number in [1, 2] {
            if let Some(id) = parts.optional(context(number, false))? {
                AnyRef::new(BitStringRef::TAG, id.value())?.decode_as::<BitStringRef<'_>>()?;
            }
        }
        let mut extensions = Vec::new();
        if let Some(explicit) = parts.optional(context(3, true))? {
            extensions = self::extensions(Elements::of(explicit.value())?)?;
        }
        parts.end()?;
        Ok(Self { begins, expires, subject, common_names, public_key, extensions })
    }

    /// The first moment at which it is valid, in seconds since 1970.
    pub fn begins(&self) -> u64 {
        self.begins
    }

    /// Its subject for people, the innermost name first, such as `CN=idp, O=Corp`: as far as it is in a kind of text whose
    /// bytes are UTF-8, or a part of it.
    pub fn subject(&self) -> String {
        let mut text = String::new();
        for (kind, value) in self.subject.iter().rev() {
            let separator = if text.is_empty() { "" } else { ", " };
            let known = ATTRIBUTES.iter().find(|(known, _)| known == kind);
            // Writing to a text does not fail.
            let _ = match known {
                Some((_, name)) => write!(text, "{separator}{name}={value}"),
                None => write!(text, "{separator}{kind}={value}"),
            };
        }
        text
    }

    /// The last moment at which it is valid, in seconds since 1970.
    pub fn expires(&self) -> u64 {
        self.expires
    }

    /// Its public key: a SubjectPublicKeyInfo in DER.
    pub fn public_key(&self) -> &'a [u8] {
        self.public_key
    }

    /// The common names of its subject, as far as they are in a kind of text whose bytes are UTF-8, or a part of it.
    pub fn common_names(&self) -> &[&'a str] {
        &self.common_names
    }

    /// The DNS names among its alternative names.
    ///
    /// # Errors
    /// The alternative names are malformed, or there are several lists of them.
    pub fn dns_names(&self) -> Result<Vec<&'a str>, Error> {
        let mut names = Vec::new();
        let Some(mut list) = self.list(SUBJECT_ALTERNATIVE_NAME)? else { return Ok(names) };
        while !list.is_finished() {
            let name = list.any()?;
            if name.tag() == DNS_NAME {
                let text = str::from_utf8(name.value()).ok().filter(|text| text.is_ascii());
                names.push(text.ok_or(Tag::Ia5String.value_error())?);
            } else if !matches!(name.tag(), Tag::ContextSpecific { .. }) {
                return Err(name.tag().unexpected_error(None).into());
            }
        }
        Ok(names)
    }

    /// Whether servers may show it: it says so, or nothing about its use.
    ///
    /// # Errors
    /// The list of its uses is malformed, or there are several of them.
    pub fn may_serve(&self) -> Result<bool, Error> {
        let Some(mut list) = self.list(EXTENDED_KEY_USAGE)? else { return Ok(true) };
        let mut may = false;
        while !list.is_finished() {
            may |= list.any()?.decode_as::<ObjectIdentifier>()? == SERVER_AUTHENTICATION;
        }
        Ok(may)
    }

    /// What is listed in the extension of this kind, if there is one.
    fn list(&self, kind: ObjectIdentifier) -> Result<Option<Elements<'a>>, Error> {
        let mut those = self.extensions.iter().filter(|(other, _)| *other == kind);
        match (those.next(), those.next()) {
            (None, _) => Ok(None),
            (Some((_, value)), None) => {
                let mut value = Elements::of(value)?;
                let list = value.within(Tag::Sequence)?;
                value.end()?;
                Ok(Some(list))
            }
            (Some(_), Some(_)) => Err(ErrorKind::Failed.into()),
        }
    }
}

/// Checks that an algorithm with its parameters comes next.
fn check_algorithm(parts: &mut Elements<'_>) -> Result<(), Error> {
    let mut algorithm = parts.within(Tag::Sequence)?;
    algorithm.any()?.decode_as::<ObjectIdentifier>()?;
    if !algorithm.is_finished() {
        algorithm.any()?;
    }
    algorithm.end()
}

/// Checks that this is a public key with its algorithm.
fn check_public_key(info: &[u8]) -> Result<(), Error> {
    let mut parts = Elements::of(info)?.within(Tag::Sequence)?;
    check_algorithm(&mut parts)?;
    parts.any()?.decode_as::<BitStringRef<'_>>()?;
    parts.end()
}

/// The first and the last moment of it.
fn validity(mut times: Elements<'_>) -> Result<(u64, u64), Error> {
    let begins = seconds(times.any()?)?;
    let expires = seconds(times.any()?)?;
    times.end()?;
    Ok((begins, expires))
}

fn seconds(time: AnyRef<'_>) -> Result<u64, Error> {
    let since_1970 = if time.tag() == Tag::UtcTime {
        time.decode_as::<UtcTime>()?.to_unix_duration()
    } else {
        time.decode_as::<GeneralizedTime>()?.to_unix_duration()
    };
    Ok(since_1970.as_secs())
}

/// The parts of the name that comes next, the outermost first, as far as they can be read.
fn name<'a>(parts: &mut Elements<'a>) -> Result<Vec<(ObjectIdentifier, &'a str)>, Error> {
    let mut names = Vec::new();
    let mut sets = parts.within(Tag::Sequence)?;
    while !sets.is_finished() {
        let mut set = sets.within(Tag::Set)?;
        while !set.is_finished() {
            let mut attribute = set.within(Tag::Sequence)?;
            let kind = attribute.any()?.decode_as::<ObjectIdentifier>()?;
            let value = attribute.any()?;
            attribute.end()?;
            let readable = matches!(value.tag(), Tag::Utf8String | Tag::PrintableString | Tag::Ia5String);
            if readable {
                names.extend(str::from_utf8(value.value()).map(|text| (kind, text)));
            }
        }
    }
    Ok(names)
}

/// The extensions by their kinds.
fn extensions(mut explicit: Elements<'_>) -> Result<Vec<(ObjectIdentifier, &[u8])>, Error> {
    let mut extensions = Vec::new();
    let mut list = explicit.within(Tag::Sequence)?;
    explicit.end()?;
    while !list.is_finished() {
        let mut extension = list.within(Tag::Sequence)?;
        let kind = extension.any()?.decode_as::<ObjectIdentifier>()?;
        if let Some(critical) = extension.optional(Tag::Boolean)? {
            critical.decode_as::<bool>()?;
        }
        let value = extension.any()?.decode_as::<&OctetStringRef>()?;
        extension.end()?;
        extensions.push((kind, value.as_bytes()));
    }
    Ok(extensions)
}
