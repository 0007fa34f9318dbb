//! RFC 3492: what a label that begins with `xn--` stands for.

// The parameters of section 5.
const BASE: u32 = 36;
const T_MIN: u32 = 1;
const T_MAX: u32 = 26;
const SKEW: u32 = 38;
const DAMP: u32 = 700;
const INITIAL_BIAS: u32 = 72;
const INITIAL_N: u32 = 128;

/// A label has at most 63 bytes, four of them `xn--`. Inserting is quadratic, so what is longer, and no name, is refused.
const LONGEST: usize = 59;

/// Decodes what follows the `xn--` (section 6.2). `None` where it is no punycode.
pub(super) fn decode(code: &str) -> Option<String> {
    if code.len() > LONGEST || !code.is_ascii() {
        return None;
    }
    let (basic, deltas) = code.rsplit_once('-').unwrap_or(("", code));
    let mut label: Vec<char> = basic.chars().collect();
    let mut deltas = deltas.chars();
    let (mut n, mut i, mut bias) = (INITIAL_N, 0u32, INITIAL_BIAS);
    while !deltas.as_str().is_empty() {
        let start = i;
        let mut weight = 1u32;
        for k in (BASE..).step_by(BASE as usize) {
            let digit = match deltas.next()?.to_ascii_lowercase() {
                letter @ 'a'..='z' => u32::from(letter) - u32::from('a'),
                digit @ '0'..='9' => u32::from(digit) - u32::from('0') + 26,
                _ => return None,
            };
            i = i.checked_add(digit.checked_mul(weight)?)?;
            let t = k.saturating_sub(bias).clamp(T_MIN, T_MAX);
            if digit < t {
                break;
            }
            weight = weight.checked_mul(BASE - t)?;
        }
        let length = u32::try_from(label.len()).ok()? + 1;
        bias = adapt(i - start, length, start == 0);
        n = n.checked_add(i / length)?;
        i %= length;
        label.insert(i as usize, char::from_u32(n)?);
        i += 1;
    }
    Some(label.into_iter().collect())
}

/// The bias for the next delta (section 6.1).
fn adapt(delta: u32, length: u32, is_first: bool) -> u32 {
    let mut delta = if is_first { delta / DAMP } else { delta / 2 };
    delta += delta / length;
    let mut k = 0;
    while delta > (BASE - T_MIN) * T_MAX / 2 {
        delta /= BASE - T_MIN;
        k += BASE;
    }
    k + (BASE - T_MIN + 1) * delta / (delta + SKEW)
}

#[cfg(test)]
mod tests {
    use super::*;

    // The last two are samples (B) and (L) of section 7.1.
    #[test]
    fn samples() {
        for (code, label) in [
            ("pple-43d", "\u{430}pple"),
            ("mnchen-3ya", "münchen"),
            ("d1acpjx3f", "яндекс"),
            ("ihqwcrb4cv8a8dqg056pqjye", "他们为什么不说中文"),
            ("3B-ww4c5e180e575a65lsy2b", "3年B組金八先生"),
            ("", ""),
            ("a-", "a"),
        ] {
            assert_eq!(decode(code).as_deref(), Some(label), "{code}");
        }
        for code in ["ü", "a-ü", "9", "99999999", "a b", &"a".repeat(60)] {
            assert_eq!(decode(code), None, "{code}");
        }
    }
}
