//! What Croft reads of X.509 certificates: until when they are valid, what for, and whose key they carry.

use std::fmt::Write as _;

use x509_cert::{
    Certificate as Decoded,
    attr::AttributeTypeAndValue,
    der::{
        Decode as _, Encode as _, Error, ErrorKind, Tag, TagNumber, Tagged as _,
        asn1::{Any, ObjectIdentifier},
        oid::{
            AssociatedOid as _,
            db::{
                rfc3280::EMAIL_ADDRESS,
                rfc4519::{
                    COMMON_NAME, COUNTRY_NAME, DOMAIN_COMPONENT, LOCALITY_NAME, ORGANIZATION_NAME,
                    ORGANIZATIONAL_UNIT_NAME, ST,
                },
                rfc5280::ID_KP_SERVER_AUTH,
            },
        },
    },
    ext::pkix::{ExtendedKeyUsage, SubjectAltName},
};

/// What parts of names are called.
const ATTRIBUTES: [(ObjectIdentifier, &str); 8] = [
    (COMMON_NAME, "CN"),
    (COUNTRY_NAME, "C"),
    (LOCALITY_NAME, "L"),
    (ST, "ST"),
    (ORGANIZATION_NAME, "O"),
    (ORGANIZATIONAL_UNIT_NAME, "OU"),
    (DOMAIN_COMPONENT, "DC"),
    (EMAIL_ADDRESS, "emailAddress"),
];
/// The tag of a DNS name among the alternative names.
const DNS_NAME: Tag = Tag::ContextSpecific { constructed: false, number: TagNumber(2) };

/// A certificate. Its signature is not checked.
#[derive(Clone, Debug)]
pub(crate) struct Certificate(Decoded);

impl Certificate {
    /// Reads a certificate in DER.
    ///
    /// # Errors
    /// It is none, or something follows it.
    pub(crate) fn from_der(der: &[u8]) -> Result<Self, Error> {
        Decoded::from_der(der).map(Self)
    }

    /// The first moment at which it is valid, in seconds since 1970.
    pub(crate) fn begins(&self) -> u64 {
        self.0.tbs_certificate().validity().not_before.to_unix_duration().as_secs()
    }

    /// The last moment at which it is valid, in seconds since 1970.
    pub(crate) fn expires(&self) -> u64 {
        self.0.tbs_certificate().validity().not_after.to_unix_duration().as_secs()
    }

    /// Its subject for people, the innermost name first, such as `CN=idp, O=Corp`: as far as it is in a kind of text whose
    /// bytes are UTF-8, or a part of it.
    pub(crate) fn subject(&self) -> String {
        let mut text = String::new();
        let attributes: Vec<_> = self.0.tbs_certificate().subject().iter().collect();
        for attribute in attributes.into_iter().rev() {
            let Some(value) = readable(attribute) else { continue };
            let separator = if text.is_empty() { "" } else { ", " };
            let known = ATTRIBUTES.iter().find(|(known, _)| *known == attribute.oid);
            // Writing to a text does not fail.
            let _ = match known {
                Some((_, name)) => write!(text, "{separator}{name}={value}"),
                None => write!(text, "{separator}{}={value}", attribute.oid),
            };
        }
        text
    }

    /// Its public key: a SubjectPublicKeyInfo in DER.
    ///
    /// # Errors
    /// The key is too long to be encoded.
    pub(crate) fn public_key(&self) -> Result<Vec<u8>, Error> {
        self.0.tbs_certificate().subject_public_key_info().to_der()
    }

    /// The common names of its subject, as far as they are in a kind of text whose bytes are UTF-8, or a part of it.
    pub(crate) fn common_names(&self) -> Vec<&str> {
        let attributes = self.0.tbs_certificate().subject().iter();
        attributes.filter(|attribute| attribute.oid == COMMON_NAME).filter_map(readable).collect()
    }

    /// The DNS names among its alternative names. Names of other kinds are not looked at.
    ///
    /// # Errors
    /// The alternative names are malformed, or there are several lists of them.
    pub(crate) fn dns_names(&self) -> Result<Vec<String>, Error> {
        let extensions = self.0.tbs_certificate().extensions();
        let mut lists =
            extensions.into_iter().flatten().filter(|extension| extension.extn_id == SubjectAltName::OID);
        let list = match (lists.next(), lists.next()) {
            (None, _) => return Ok(Vec::new()),
            (Some(list), None) => list,
            (Some(_), Some(_)) => return Err(ErrorKind::Failed.into()),
        };
        let mut names = Vec::new();
        for name in Vec::<Any>::from_der(list.extn_value.as_bytes())? {
            if name.tag() == DNS_NAME {
                let text = str::from_utf8(name.value()).ok().filter(|text| text.is_ascii());
                names.push(text.ok_or(Tag::Ia5String.value_error())?.to_owned());
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
    pub(crate) fn may_serve(&self) -> Result<bool, Error> {
        let uses = self.0.tbs_certificate().get_extension::<ExtendedKeyUsage>()?;
        Ok(uses.is_none_or(|(_, uses)| uses.0.contains(&ID_KP_SERVER_AUTH)))
    }
}

/// The text of a part of a name.
fn readable(attribute: &AttributeTypeAndValue) -> Option<&str> {
    let is_text = matches!(attribute.value.tag(), Tag::Utf8String | Tag::PrintableString | Tag::Ia5String);
    is_text.then(|| str::from_utf8(attribute.value.value()).ok())?
}

#[cfg(test)]
mod tests;
