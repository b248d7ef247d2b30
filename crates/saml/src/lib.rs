//! SAML 2.0 for a service provider: requests by the redirect binding, responses by the POST binding.
//!
//! This crate replaces a library because the existing ones implement XML signatures in general (transforms, references
//! to other documents, keys in the signature) with several hundred thousand lines and two generations of cryptography.
//! SAML allows only one narrow form, and this crate implements only that. `roxmltree` parses XML, and the RustCrypto
//! crates verify signatures.
//!
//! # What is checked
//!
//! A response is parsed once. It must contain exactly one assertion, directly in the response. A signature must be a
//! child of the element that it signs, refer to it by an ID that no other element has, and cover all of it. There must
//! be at least one signature, and all must be valid. Everything that is used is read from the signed element itself and
//! not looked up again, so that no other element can take its place (signature wrapping).
//!
//! The cost of a response is bounded by a [`Budget`] in steps. `limits.rs` has the limits of documents. Signatures are
//! verified before the content that they cover is canonicalized.
//!
//! The time is a parameter, and nothing is fetched. The caller checks whether the response was requested and whether
//! its assertion was used before, by [`Assertion::in_response_to`] and [`Assertion::id`].

mod budget;
mod canonical;
#[cfg(feature = "issuing")]
pub mod issuing;
mod key;
mod key_pair;
mod limits;
mod metadata;
mod refusal;
mod request;
mod response;
mod signature;
#[cfg(feature = "testing")]
pub mod testing;
mod xml;

pub use budget::Budget;
pub use key::VerificationKey;
pub use key_pair::{FillRandom, KeyPair, KeyPairError};
pub use metadata::{MAX_SIGNING_CERTIFICATES, Metadata, MetadataError};
pub use refusal::Refusal;
pub use request::AuthnRequest;
pub use response::{Assertion, MAX_AGE, SKEW, ServiceProvider};
