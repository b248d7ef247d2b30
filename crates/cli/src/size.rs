//! Numbers of bytes with units.

/// Units and their powers of two, largest first.
const UNITS: [(&str, u32); 4] = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)];

/// Reads a number of bytes: `512`, `64KiB`, `4GiB`, `1.5 GiB`. `G` and `GiB` mean the same.
///
/// # Errors
///
/// It is not a number with one of the units, or not a whole number of bytes.
pub fn parse(text: &str) -> Result<u64, String> {
    let trimmed = text.trim();
    let split = trimmed.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(trimmed.len());
    let (number, unit) = (trimmed[..split].trim(), &trimmed[split..]);
    let hint = || format!("`{text}` is not a size such as 4GiB, 512MiB or 1073741824");
    let power = match unit {
        "" | "B" => 0,
        _ => {
            let known = UNITS
                .iter()
                .find(|(name, _)| unit.eq_ignore_ascii_case(name) || unit.eq_ignore_ascii_case(&name[..1]));
            known.map(|(_, power)| *power).ok_or_else(hint)?
        }
    };
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let whole: u64 = whole.parse().map_err(|_| hint())?;
    let bytes = whole.checked_mul(1 << power).ok_or_else(hint)?;
    if fraction.is_empty() {
        return Ok(bytes);
    }
    let digits = u32::try_from(fraction.len()).map_err(|_| hint())?;
    let scale = 10_u64.checked_pow(digits).ok_or_else(hint)?;
    let part = fraction.parse::<u64>().map_err(|_| hint())?.checked_mul(1 << power).ok_or_else(hint)?;
    if part % scale != 0 {
        return Err(format!("`{text}` is not a whole number of bytes"));
    }
    bytes.checked_add(part / scale).ok_or_else(hint)
}

/// Writes a number of bytes with the largest unit that leaves no remainder.
pub fn show(bytes: u64) -> String {
    let unit = UNITS.iter().find(|(_, power)| bytes != 0 && bytes.trailing_zeros() >= *power);
    unit.map_or_else(|| format!("{bytes} B"), |(name, power)| format!("{} {name}", bytes >> power))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_with_and_without_units() {
        assert_eq!(parse("512"), Ok(512));
        assert_eq!(parse("4GiB"), Ok(4 << 30));
        assert_eq!(parse("4 g"), Ok(4 << 30));
        assert_eq!(parse("1.5GiB"), Ok(3 << 29));
        for wrong in ["", "GiB", "4XB", "-1", "1.2.3G", "0.3B", "99999999999999999999"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn sizes_are_shown_without_loss() {
        assert_eq!(show(4 << 30), "4 GiB");
        assert_eq!(show(1536 << 20), "1536 MiB");
        assert_eq!(show(513), "513 B");
        assert_eq!(show(0), "0 B");
    }
}
