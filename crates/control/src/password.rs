//! Requirements for new passwords. Existing passwords remain valid when the requirements change.
//!
//! The server adds a check that needs a large list: whether a password is one of the most common.

use croft_api::{Error, Result, scalar::Password};

/// Minimum length of a password in characters.
pub const MIN_LENGTH: usize = 12;

/// Checks a new password of the user with this name.
///
/// # Errors
/// `InvalidValue`, with a text that says what to choose instead.
pub fn check(password: &Password, user_name: &str) -> Result<()> {
    let text = password.reveal();
    if text.chars().count() < MIN_LENGTH {
        return Err(refusal(format!(
            "use at least {MIN_LENGTH} characters, for instance four or more words"
        )));
    }
    if text.trim().to_lowercase() == user_name.to_lowercase() {
        return Err(refusal(
            "the password must not be the user name, which is the first guess of an attacker; choose another password",
        ));
    }
    Ok(())
}

/// The error for a password that is easily guessed.
pub fn too_common() -> Error {
    refusal(
        "this password is one of the most common ones; choose several unrelated words, or let a password \
         manager generate one",
    )
}

/// The error for a new password that equals the old one.
pub fn unchanged() -> Error {
    refusal("this is the current password; choose another one")
}

fn refusal(text: impl std::fmt::Display) -> Error {
    Error::invalid_value("password", text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str) -> Option<String> {
        check(&text.parse().unwrap(), "ada-lovelace-of-london").err().map(|error| error.message())
    }

    #[test]
    fn password_requires_twelve_characters() {
        for short in ["", "hunter2", "elevenchars", "\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}"] {
            let expected = "unsupported value for \"password\": use at least 12 characters, for instance four or \
                            more words";
            assert_eq!(refused(short).as_deref(), Some(expected), "{short}");
        }
        for long in
            ["twelve chars", "\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}\u{e4}"]
        {
            assert_eq!(refused(long), None, "{long}");
        }
    }

    #[test]
    fn user_name_is_refused_as_password() {
        for name in ["ada-lovelace-of-london", "ADA-Lovelace-Of-London", " ada-lovelace-of-london "] {
            assert!(refused(name).unwrap().contains("must not be the user name"), "{name}");
        }
        assert_eq!(refused("ada-lovelace-of-london-knows-engines"), None);
    }
}
