//! The parts of X.509 certificates that Croft uses: validity, purpose and public key.

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

/// Abbreviations of attribute types.
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
    /// Parses a certificate in DER.
    ///
    /// # Errors
    /// It is malformed, or followed by other data.
    pub(crate) fn from_der(der: &[u8]) -> Result<Self, Error> {
        Decoded::from_der(der).map(Self)
    }

    /// The start of its validity, in seconds since 1970.
    pub(crate) fn begins(&self) -> u64 {
        self.0.tbs_certificate().validity().not_before.to_unix_duration().as_secs()
    }

    /// The end of its validity, in seconds since 1970.
    pub(crate) fn expires(&self) -> u64 {
        self.0.tbs_certificate().validity().not_after.to_unix_duration().as_secs()
    }

    /// Its subject for display, the most specific attribute first, such as `CN=idp, O=Corp`. Attributes that are not
    /// valid UTF-8 are omitted.
    pub(crate) fn subject(&self) -> String {
        let mut text = String::new();
        let attributes: Vec<_> = self.0.tbs_certificate().subject().iter().collect();
        for attribute in attributes.into_iter().rev() {
            let Some(value) = readable(attribute) else { continue };
            let separator = if text.is_empty() { "" } else { ", " };
            let known = ATTRIBUTES.iter().find(|(known, _)| *known == attribute.oid);
            // Writing to a `String` does not fail.
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

    /// The common names of its subject. Those that are not valid UTF-8 are omitted.
    pub(crate) fn common_names(&self) -> Vec<&str> {
        let attributes = self.0.tbs_certificate().subject().iter();
        attributes.filter(|attribute| attribute.oid == COMMON_NAME).filter_map(readable).collect()
    }

    /// The DNS names of its subject alternative names. Names of other kinds are ignored.
    ///
    /// # Errors
    /// The extension is malformed or occurs more than once.
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

    /// Whether servers may use it: the extended key usage says so, or is absent.
    ///
    /// # Errors
    /// The extension is malformed or occurs more than once.
    pub(crate) fn may_serve(&self) -> Result<bool, Error> {
        let uses = self.0.tbs_certificate().get_extension::<ExtendedKeyUsage>()?;
        Ok(uses.is_none_or(|(_, uses)| uses.0.contains(&ID_KP_SERVER_AUTH)))
    }
}

/// The text of an attribute value.
fn readable(attribute: &AttributeTypeAndValue) -> Option<&str> {
    let is_text = matches!(attribute.value.tag(), Tag::Utf8String | Tag::PrintableString | Tag::Ia5String);
    is_text.then(|| str::from_utf8(attribute.value.value()).ok())?
}

#[cfg(test)]
mod tests;
