//! SAML 2.0 for a service provider: requests by the redirect binding, answers by the POST binding.
//!
//! Written here rather than taken from a library because of what the libraries bring along: general XML signatures
//! (transforms, references to other documents, keys from within the signature) in several hundred thousand lines and
//! two generations of cryptography, of which SAML allows one narrow shape. That shape is all that this crate knows.
//! XML is parsed by `roxmltree`, signatures are checked by the RustCrypto crates.
//!
//! # What is checked
//!
//! An answer is parsed once. It must hold exactly one assertion and that directly in the answer; a signature must
//! stand directly in what it signs, refer to it by an id that no other element has, and cover all of it. Every
//! signature that is there must be good, and at least one must be. Everything that is used is then read from the
//! signed element itself, never looked up again, so that no second element can take its place (signature wrapping).
//!
//! What an answer may cost is bounded by a [`Budget`] of work, counted in steps; see `limits.rs` for what a document may
//! not be at all. Signatures are verified before what they cover is brought into canonical form.
//!
//! Time is passed in; nothing is fetched. Whether an answer was asked for, and whether its assertion was used
//! before, is for the caller to know: [`Assertion::in_response_to`] and [`Assertion::id`] are what to look up.

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
