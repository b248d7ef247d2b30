use std::{fmt::Display, str::FromStr};

use super::ScalarError;

/// Reads both ends of a range of numbers, `A-B`, or of a single one, `A` (`docs/rules/networking.md#values-in-rules`).
///
/// The end may lie before the start: that is refused together with the rule that the range is part of.
pub(super) fn ends<N>(text: &str) -> Result<(N, N), ScalarError>
where
    N: FromStr<Err: Display> + Copy,
{
    let Some((first, last)) = text.split_once('-') else {
        let only = number(text, "range has no start value")?;
        return Ok((only, only));
    };
    Ok((number(first, "range has no start value")?, number(last, "range has no end value")?))
}

fn number<N: FromStr<Err: Display>>(text: &str, missing: &str) -> Result<N, ScalarError> {
    if text.is_empty() {
        return Err(ScalarError::new(missing));
    }
    let unparsable =
        |reason: &dyn Display| ScalarError::new(format!("\"{text}\" unparsable for type: {reason}"));
    // The standard library would take a sign.
    if !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(unparsable(&"invalid digit found in string"));
    }
    text.parse().map_err(|reason| unparsable(&reason))
}
