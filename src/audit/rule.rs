//! The one table of the rules. Each row has the id, the severity, the texts for people, and the
//! function that decides.
//!
//! `--rules`, SARIF and the HTML page show this table.

use super::finding::{Remark, Severity};
use super::inspected::{Inspected, RuleOptions};
use super::signs::Signs;
use super::{host, mail, nested, octets, place, port, scheme, tenant, user, whole};
use crate::Match;

/// The evidence that decides whether a rule fires. A number is the bit of the rule in
/// [`PlaceRules`](super::PlaceRules), which databases store.
#[derive(Clone, Copy)]
enum Decides {
    /// The bytes of the URL. The rule is silent unless the URL has one of these signs.
    Url(Signs, fn(&Inspected<'_>) -> Option<Remark>),
    /// The bytes of the URL. The rule is silent at places that excuse the URL.
    Unless(usize, fn(&Match<'_>) -> bool, Signs, fn(&Inspected<'_>) -> Option<Remark>),
    /// The bytes of the URL. At some places the rule is [worse](Rule::WORSE).
    Worse(usize, fn(&Match<'_>) -> bool, Signs, fn(&Inspected<'_>) -> Option<Remark>),
    /// The bytes of the URL, or its place. At some places the rule always fires, and is worse.
    Also(usize, fn(&Match<'_>) -> bool, Signs, fn(&Inspected<'_>) -> Option<Remark>),
    /// The place of the URL.
    Place(usize, fn(&Match<'_>) -> Option<Remark>),
    /// A link checker.
    Checker,
    /// The rest of the archive.
    Archive,
}

use Decides::{Also, Archive, Checker, Place, Unless, Url, Worse};

/// The signs of a URL within the URL, raw or escaped.
const INNER: Signs = Signs::COLON.or(Signs::ESCAPE);
/// The signs of a name that holds or encodes non-ASCII characters.
const INTERNATIONAL: Signs = Signs::WIDE.or(Signs::HYPHENS).or(Signs::ESCAPE);

/// A row of the table.
struct Definition {
    id: &'static str,
    severity: Severity,
    fires_when: &'static str,
    why: &'static str,
    remedy: &'static str,
    decides: Decides,
}

/// Defines [`Rule`] and its table from one list, so that they cannot differ.
macro_rules! rules {
    ($($rule:ident $id:literal $severity:ident $decides:expr, $fires_when:literal, $why:literal, $remedy:literal;)*) => {
        /// A rule of an audit (section 5 of the specification). `X-…` rules go beyond RFC 1738 and its
        /// schemes.
        ///
        /// ```
        /// use urlgrep::audit::{Rule, Severity};
        ///
        /// let rule = Rule::from_id("A-CRLF").unwrap();
        /// assert_eq!(rule, Rule::Crlf);
        /// assert_eq!(rule.severity(), Severity::High);
        /// assert_eq!(rule.fires_when(), "a part of the URL decodes to a line end");
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Rule {
            $(#[doc = concat!("`", $id, "`: ", $fires_when, ".")] $rule,)*
        }

        impl Rule {
            /// Every rule, in the order of the specification, section 5.
            pub const ALL: &'static [Rule] = &[$(Rule::$rule,)*];
        }

        const TABLE: &[Definition] = &[$(Definition {
            id: $id,
            severity: Severity::$severity,
            fires_when: $fires_when,
            why: $why,
            remedy: $remedy,
            decides: $decides,
        },)*];
    };
}

rules! {
    PortNondefault "A-PORT-NONDEFAULT" Info Url(Signs::COLON, port::nondefault),
        "the port is not the scheme's default",
        "Another service may answer there, and firewalls often stop such requests.",
        "Leave the port out if the default one works, too.";
    PortReserved "A-PORT-RESERVED" Medium Url(Signs::COLON, port::reserved),
        "the port is below 1024 and not the scheme's default",
        "Ports below 1024 belong to other services, such as mail. The link can make a client talk to them in the user's name.",
        "Do not follow it until you know which service listens there.";
    PortRange "A-PORT-RANGE" Medium Url(Signs::COLON, port::range),
        "the port is 0 or above 65535",
        "No such port exists. Clients refuse it, or truncate it to 16 bits and reach another port.",
        "Correct the port.";
    Crlf "A-CRLF" High Url(Signs::ESCAPE, octets::crlf),
        "a part of the URL decodes to a line end",
        "In line-based protocols the text after the line end is another command, sent in the user's name.",
        "Remove %0D and %0A. Do not fetch it with a client that sends decoded octets as they are.";
    Nul "A-NUL" High Url(Signs::ESCAPE, octets::nul),
        "a part of the URL decodes to NUL",
        "Programs in C end a string at NUL, so the name checked and the name fetched can differ.",
        "Remove %00.";
    Ctrl "A-CTRL" Medium Url(Signs::ESCAPE, octets::ctrl),
        "a part of the URL decodes to a control character other than NUL, CR or LF",
        "Control characters reach servers and terminals, which may act on them instead of showing them.",
        "Remove the escape.";
    Xproto "A-XPROTO" Critical Url(Signs::ESCAPE, octets::xproto),
        "the URL holds encoded line ends, and its port belongs to another service",
        "Together they let a link speak another protocol: a gopher URL can send mail.",
        "Do not fetch it.";
    GplusForm "A-GPLUS-FORM" Info Url(Signs::ESCAPE, octets::gplus_form),
        "a gopher+ form that is filled in",
        "Fetching it submits the form. Its line ends are part of it, so A-CRLF is silent.",
        "Fetch it only if you mean to submit the form.";
    Password "A-PASSWORD" Medium Url(Signs::AT, user::password),
        "a password",
        "Anybody who can read the text can log in.",
        "Change the password, and leave it out of the URL.";
    UserinfoHost "A-USERINFO-HOST" High Url(Signs::AT, user::host),
        "the user name looks like a host",
        "Readers mistake the beginning for the host, but the link goes to the host after the `@`.",
        "Check the host after the `@`.";
    Diverge "A-DIVERGE" Medium Url(Signs::AT, host::diverge),
        "RFC 1738 and RFC 3986 find different hosts",
        "Old and new software go to different servers, so a check by one does not protect the other.",
        "Write a `/` after the host, and encode `?` and `@` before that `/`.";
    Backslash "A-BACKSLASH" High Url(Signs::BACKSLASH, host::backslash),
        "a backslash before the path",
        "Browsers read it as a `/`, and other software as part of the host, so they reach different servers.",
        "Write `/`, or %5C if you mean a backslash.";
    UserinfoLax "A-USERINFO-LAX" High Url(Signs::AT, user::lax),
        "a user name in a scheme that has none",
        "Software drops it, or logs in with it. It often makes another host look like the target.",
        "Remove everything up to the `@`.";
    EncDelim "A-ENC-DELIM" Medium Url(Signs::ESCAPE, octets::enc_delim),
        "a part of the URL decodes to a delimiter of its own grammar",
        "Software that decodes before it splits finds different parts from software that splits first.",
        "Make sure that both ends split before they decode, or use a name without the delimiter.";
    Dotseg "A-DOTSEG" Medium Url(Signs::DOT.or(Signs::ESCAPE), octets::dotseg),
        "a segment of the path decodes to `.` or `..`",
        "Some software removes such segments, some climbs to another folder, and some treats them as names.",
        "Write the intended path.";
    DoubleEnc "A-DOUBLE-ENC" Medium Url(Signs::ESCAPE, octets::double_enc),
        "an escape that is escaped itself",
        "Software that decodes twice sees different characters from a filter that decodes once.",
        "Encode once.";
    Obfusc "A-OBFUSC" Low Url(Signs::ESCAPE, octets::obfusc),
        "an escaped letter or digit",
        "The escape is unnecessary, and hides words from people and filters.",
        "Write the character itself.";
    IpLiteral "A-IP-LITERAL" Low Worse(10, place::is_clicked, Signs::ADDRESS, host::ip_literal),
        "the host is an IP address",
        "An address does not show who runs the server, and it may change.",
        "Use the host's name.";
    IpRange "A-IP-RANGE" Medium Url(Signs::ADDRESS, host::ip_range),
        "a group of an IPv4 address is above 255",
        "It is not a valid address. Clients refuse it, look it up as a name, or truncate the group to eight bits.",
        "Correct the address.";
    IpOctal "A-IP-OCTAL" Medium Url(Signs::ADDRESS, host::ip_octal),
        "a group of an IPv4 address has a leading zero",
        "Some software reads it as decimal and some as octal, so they reach different servers.",
        "Drop the leading zeros.";
    IpLocal "A-IP-LOCAL" Medium Url(Signs::ADDRESS, host::ip_local),
        "the host is this machine or a private network",
        "It names a different machine for each reader, and can reach services that are closed to outsiders.",
        "Use a public name, or do not publish the link.";
    IpOdd "A-IP-ODD" High Url(Signs::ADDRESS, host::ip_odd),
        "an IPv4 address in a form other than four decimal groups",
        "Browsers accept it, but people and filters do not recognise it.",
        "Write four decimal groups, or the host's name.";
    IdnPuny "A-IDN-PUNY" Low Url(INTERNATIONAL, host::idn_puny),
        "a label of the host is written in punycode",
        "Browsers may show it in letters that look like other letters.",
        "Decode the name and check it letter by letter.";
    IdnMixed "A-IDN-MIXED" High Url(INTERNATIONAL, host::idn_mixed),
        "a label of the host mixes scripts, or looks like Latin but is not",
        "Letters of another script can look the same: the name may imitate another one.",
        "Compare the name with the one that you expect, letter by letter.";
    Idna "A-IDNA" High Url(Signs::WIDE.or(Signs::ESCAPE), host::idna),
        "a non-ASCII host that IDNA maps to ASCII, or refuses",
        "Browsers go to the name in ASCII, which filters do not find in the text. Nobody registers the name as written.",
        "Write the registered name of the host, and find out why the text does not.";
    Bidi "A-BIDI" High Place(0, place::bidi),
        "an invisible or direction-changing character in the host or path",
        "Such characters reorder or hide parts of the text, so the URL shown is not the real one.",
        "Remove the character.";
    BidiNear "A-BIDI-NEAR" Info Place(13, place::bidi_near),
        "an invisible or direction-changing character next to the URL, or in its search or fragment",
        "It can reorder the text around the link, but does not change the target. Usually an editor or a chat left it there.",
        "Remove the character.";
    Case "A-CASE" Info Url(Signs::UPPER.or(Signs::ESCAPE), host::case),
        "upper case in the scheme or the host",
        "Case has no meaning in either, so the URL in lower case is the same.",
        "Write scheme and host in lower case.";
    Long "A-LONG" Low Url(Signs::LONG, whole::long),
        "a very long URL",
        "Software truncates or refuses it, and people cannot read it.",
        "Use a shorter URL.";
    DnsLen "A-DNS-LEN" Medium Url(Signs::LONG_NAME, host::dns_len),
        "a label of the host is longer than 63 bytes, or the host than 253",
        "No name server can hold such a name, so the host cannot be reached.",
        "Correct the host.";
    FileRemote "A-FILE-REMOTE" Medium Url(Signs::FILE, scheme::file_remote),
        "a file URL with another host",
        "It names no protocol. Some systems open a network share, and send a login to it.",
        "Name a protocol, such as ftp or http.";
    FileLocal "A-FILE-LOCAL" Info Url(Signs::FILE, scheme::file_local),
        "a local file URL in shared text",
        "It names a file on each reader's own machine.",
        "Publish the file, and link to it by a protocol such as http.";
    SchemeActive "A-SCHEME-ACTIVE" High Unless(14, place::is_picture, Signs::OTHER, scheme::active),
        "a scheme whose URLs are code or pages: javascript, vbscript, data",
        "Following it runs code from the URL in the page, or shows its content in place of the page.",
        "Do not follow it.";
    Data "A-DATA" Info Url(Signs::OTHER, scheme::data),
        "content in the URL itself",
        "It is content, not a link. It makes the text long, and no server can change or withdraw it.",
        "Nothing, if it is a picture in a page.";
    SchemeX "A-SCHEME-X" Info Url(Signs::OTHER, scheme::experimental),
        "an experimental scheme (`x-`)",
        "Only the people who agreed on it know what it means.",
        "Use a registered scheme.";
    SchemeReserved "A-SCHEME-RESERVED" Info Unless(7, place::is_part, Signs::OTHER, scheme::reserved),
        "a scheme that RFC 1738 reserves without defining it",
        "RFC 1738 only reserves the names afs, mid, cid, nfs, tn3270, mailserver and z39.50.",
        "Nothing, if the readers' software supports it.";
    MailRoute "A-MAIL-ROUTE" Medium Url(Signs::MAIL, mail::route),
        "the local part of a mail address holds `%` or `!` between words",
        "Old mailers read it as a route, and forward the mail to a third host.",
        "Write the address without a route.";
    MailHdr "A-MAIL-HDR" Low Unless(6, place::is_of_list, Signs::MAIL, mail::headers),
        "a `?` in a mailto URL",
        "In RFC 1738 it is part of the address. Later software reads header fields that the sender did not write.",
        "Check the message before you send it.";
    NewsServer "A-NEWS-SERVER" Low Url(Signs::NEWS, mail::news_server),
        "a server in a news URL",
        "In RFC 1738 `//` and the server are part of the article's id. Later software connects to the server.",
        "Write news: with the bare id or group, or nntp: with the server.";
    NestedUrl "A-NESTED-URL" Info Url(INNER, nested::nested_url),
        "the path or search holds another URL",
        "The link may lead to the inner URL, whatever host is shown.",
        "Check the inner URL as well.";
    Redirector "A-REDIRECT" Medium Url(INNER.or(Signs::GATEWAY).or(Signs::ENCODED), nested::redirect),
        "the URL names a redirect target on another site",
        "A reader who trusts the host shown may reach a host that somebody else chose.",
        "Check the inner URL, and link to it directly.";
    Gateway "A-GATEWAY" Info Url(Signs::GATEWAY, nested::gateway),
        "a gateway that rewrites links",
        "The URL shows only the host of the gateway. The gateway sees every click, and the link fails when it closes.",
        "Link to the target directly. If the target can be read, the other rules check it, too.";
    Short "A-SHORT" Low Worse(12, place::hides_target, Signs::SHORT, nested::short),
        "a link shortener, or a click tracker",
        "Readers cannot see the target, and it is lost when the service closes.",
        "Write the target's own URL.";
    Tenant "A-TENANT" Low Worse(9, place::is_clicked, Signs::TENANT, tenant::tenant),
        "a host where anybody can publish pages",
        "The host's name belongs to a hosting service, and does not show who made the page. Phishing pages appear there for hours.",
        "Find out whose page it is before you type anything into it.";
    Closed "A-CLOSED" Info Url(Signs::CLOSED, host::closed),
        "a service that closed",
        "The page is gone or has moved, and the name may belong to somebody else by now.",
        "Link to the successor, or to a copy in a web archive.";
    PlainHttp "A-HTTP" Info Archive,
        "http, though the archive also links to the host by https",
        "Anybody on the network path can read and change what http fetches, and the host also offers https.",
        "Write https if it serves the same page.";
    Token "A-TOKEN" Medium Url(Signs::TOKEN, user::token),
        "a secret in the search or fragment",
        "Anybody who can read the text can act in the owner's name.",
        "Have the secret revoked, and leave it out of the URL.";
    Recipient "A-RECIPIENT" Low Also(11, place::names_reader, Signs::AT.or(Signs::ESCAPE).or(Signs::NAMED), mail::recipient),
        "a mail address in the search or fragment, or the reader's own in the path",
        "The server learns who followed the link. Such links track their readers, and phishing pages fill in the address.",
        "Leave the address out.";
    Hyphen "A-HYPHEN" Low Place(1, place::hyphen),
        "a URL that a line break cuts, with two readings",
        "Both readings are valid URLs, and the text does not say which one was meant.",
        "Try both, and check which one the rest of the archive uses.";
    SpaceJoin "A-SPACE-JOIN" Low Place(2, place::space_join),
        "white space within a line was removed from the URL",
        "If the text means two words, the URL ends at the first.",
        "Try the part before the blank as well.";
    Placeholder "A-PLACEHOLDER" Info Url(Signs::DEFECT, whole::placeholder),
        "a pattern with a place to fill in, not a URL",
        "A program or a reader fills in the place. Until then nothing can be fetched.",
        "Nothing, if its readers see that it is a pattern.";
    Invalid "X-INVALID" Medium Unless(5, place::is_relative, Signs::DEFECT, whole::invalid),
        "not a URL in any grammar",
        "Programs guess what was meant, each in its own way.",
        "Correct the fault that the message names.";
    Later "X-LATER" Info Url(Signs::DEFECT, whole::later),
        "a URL under RFC 3986 or RFC 3987 only",
        "Software from the time of RFC 1738 refuses it.",
        "Nothing, unless old software must read it. If so, encode the character that the message names.";
    Anchor "X-ANCHOR" High Place(3, place::anchor),
        "the text of a link shows one site, but the link goes to another",
        "The reader is led to believe that the link goes elsewhere.",
        "Do not follow it until you know why.";
    Relative "X-RELATIVE" Info Place(4, place::relative),
        "a reference without a scheme, and no base to complete it",
        "It names a page on its own site, but the text does not say which site that is.",
        "Open the page on its own site, or audit a copy of the page that has its base.";
    Truncated "X-TRUNCATED" Low Place(8, place::truncated),
        "a URL whose end is missing",
        "It was shortened for display, or is broken over too many lines. The rest leads to another page, or to none.",
        "Write the whole URL.";
    Broken "X-BROKEN" Medium Checker,
        "a link checker could not reach it",
        "The page is gone, has moved, or is closed to readers.",
        "Look for its new address, or for a copy in a web archive.";
    Redirect "X-REDIRECT" Info Checker,
        "a link checker was redirected to another URL",
        "It works only as long as the old server redirects readers.",
        "Link to the new URL.";
}

impl Rule {
    /// Returns the stable name: `A-CRLF`.
    #[must_use]
    pub fn id(self) -> &'static str {
        self.definition().id
    }

    /// Returns the usual severity. A finding can be milder or worse.
    #[must_use]
    pub fn severity(self) -> Severity {
        self.definition().severity
    }

    /// Returns the condition under which the rule fires: a phrase, without a full stop.
    #[must_use]
    pub fn fires_when(self) -> &'static str {
        self.definition().fires_when
    }

    /// Returns the harm that a URL can do if the rule fires on it: a sentence or two.
    #[must_use]
    pub fn why(self) -> &'static str {
        self.definition().why
    }

    /// Returns the remedy: a sentence or two.
    #[must_use]
    pub fn remedy(self) -> &'static str {
        self.definition().remedy
    }

    /// Returns the rule with this id, ignoring case.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Rule> {
        Rule::ALL.iter().copied().find(|rule| rule.id().eq_ignore_ascii_case(id))
    }

    /// Returns the rules that may fire on the bytes of a URL with these signs, in the order of
    /// [`Rule`].
    pub(super) fn asked(signs: Signs) -> impl Iterator<Item = Rule> {
        let mut left = signs.numbers().fold(0, |rules, sign| rules | Rule::BY_SIGN[sign]);
        std::iter::from_fn(move || {
            let rule = left.trailing_zeros() as usize;
            left &= left.checked_sub(1)?;
            Rule::ALL.get(rule).copied()
        })
    }

    /// The rules that may fire with each sign, one bit per rule.
    const BY_SIGN: [u64; Signs::COUNT] = {
        let mut by_sign = [0; Signs::COUNT];
        let mut at = 0;
        while at < TABLE.len() {
            if let Url(signs, _) | Unless(_, _, signs, _) | Worse(_, _, signs, _) | Also(_, _, signs, _) =
                TABLE[at].decides
            {
                let mut sign = 0;
                while sign < Signs::COUNT {
                    if signs.meet(Signs::of_number(sign)) {
                        by_sign[sign] |= 1 << at;
                    }
                    sign += 1;
                }
            }
            at += 1;
        }
        by_sign
    };

    /// Returns the remark of the rule about the bytes of a URL. Returns `None` if the rule is silent,
    /// or if the bytes do not decide it.
    pub(super) fn of_url(self, url: &Inspected<'_>) -> Option<Remark> {
        match self.definition().decides {
            Url(_, decide) | Unless(.., decide) | Worse(.., decide) | Also(.., decide) => decide(url),
            Place(..) | Checker | Archive => None,
        }
    }

    /// Returns the remark of the rule about the place of a match. Returns `None` if the rule is silent,
    /// or if the place does not decide it.
    pub(super) fn of_place(self, found: &Match<'_>) -> Option<Remark> {
        match self.definition().decides {
            Place(_, decide) => decide(found),
            // If the rule fires on the bytes, `of_url` reports it, and it must not fire twice.
            Also(_, fires_too, ..) if fires_too(found) && !self.fires_on(found) => {
                Some(Remark::new(0..found.target().len(), ""))
            }
            Url(..) | Unless(..) | Worse(..) | Also(..) | Checker | Archive => None,
        }
    }

    /// Returns whether the place of a match silences the rule, regardless of the URL's bytes.
    pub(super) fn is_excused(self, found: &Match<'_>) -> bool {
        matches!(self.definition().decides, Unless(_, is_excused, ..) if is_excused(found))
    }

    /// Returns whether the bit of the rule means that the place excuses the URL, and not that the
    /// rule fires.
    pub(super) fn has_excuse(self) -> bool {
        matches!(self.definition().decides, Unless(..))
    }

    /// The severity of a rule at a place that makes it worse.
    const WORSE: Severity = Severity::Medium;

    /// Returns whether the place of a match makes the rule worse.
    ///
    /// `fired` holds the rules that fire on the bytes of the URL. Only the result for a `Worse` rule
    /// depends on `fired`.
    pub(super) fn is_worse_at(self, found: &Match<'_>, fired: &[Rule]) -> bool {
        match self.definition().decides {
            Worse(_, is_worse, ..) => fired.contains(&self) && is_worse(found),
            Also(_, fires_too, ..) => fires_too(found),
            _ => false,
        }
    }

    /// Returns the rules that fire on the bytes of a URL that a reader of mail clicks on. For any
    /// other match the result is empty.
    pub(super) fn fired_where_clicked(found: &Match<'_>) -> Vec<Rule> {
        if !place::is_clicked(found) {
            return Vec::new();
        }
        Inspected::quiet(found.target(), RuleOptions::new()).fired().map(|(rule, _)| rule).collect()
    }

    /// Returns whether the rule fires on the bytes of the match's URL.
    fn fires_on(self, found: &Match<'_>) -> bool {
        Inspected::quiet(found.target(), RuleOptions::new()).fired().any(|(fired, _)| fired == self)
    }

    /// Returns whether the bit of the rule means that the rule is worse at the place.
    pub(super) fn has_worse(self) -> bool {
        matches!(self.definition().decides, Worse(..) | Also(..))
    }

    /// Returns the severity of a finding at a place that makes the rule worse.
    ///
    /// A finding that is milder than its rule keeps its severity, except for A-TENANT. That rule is
    /// mild for home pages that old mailing lists link to. Links of HTML that a reader clicks on are
    /// not such links.
    #[must_use]
    pub fn worse(self, severity: Severity) -> Severity {
        let is_worse = severity == self.severity() || self == Rule::Tenant;
        if self.has_worse() && is_worse { Rule::WORSE } else { severity }
    }

    /// Returns whether the bit of the rule is set for the place of a match.
    pub(super) fn marks(self, found: &Match<'_>, fired: &[Rule]) -> bool {
        self.is_excused(found) || self.is_worse_at(found, fired) || self.fires_at(found)
    }

    /// Returns whether the rule fires at the place of a match.
    fn fires_at(self, found: &Match<'_>) -> bool {
        match self {
            // The readings include those of a bare URL that may continue on the next line. The rest of the
            // archive decides between them.
            Rule::Hyphen => place::doubtful_readings(found).next().is_some(),
            _ => matches!(self.definition().decides, Place(..)) && self.of_place(found).is_some(),
        }
    }

    /// The rules that the place decides, excuses or makes worse, each at its bit.
    pub(super) const PLACE: [Option<Rule>; 15] = {
        let mut rules = [None; 15];
        let mut at = 0;
        while at < TABLE.len() {
            if let Place(bit, _) | Unless(bit, ..) | Worse(bit, ..) | Also(bit, ..) = TABLE[at].decides {
                assert!(rules[bit].is_none(), "two rules have one bit");
                rules[bit] = Some(Rule::ALL[at]);
            }
            at += 1;
        }
        rules
    };

    fn definition(self) -> &'static Definition {
        &TABLE[self as usize]
    }
}

#[cfg(feature = "serde")]
crate::url::serial::by_name!(Rule, id, Rule::ALL);

crate::bytes::display::display!(Rule, id);
