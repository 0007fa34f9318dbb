//! Keys of services with a fixed prefix, and the shapes of names of values that are secrets
//! (A-TOKEN).
//!
//! The source is the services' own documentation of their keys, November 2026:
//!
//! - AWS "IAM identifiers", GitHub "About authentication to GitHub", GitLab "Token overview"
//! - Stripe "API keys" and "Check the webhook signatures", Slack "Token types"
//! - Google "API keys" and "Using OAuth 2.0", HashiCorp Vault "Tokens", Grafana "Service accounts"
//! - Atlassian, Docker, Doppler, Figma, Groq, Linear, New Relic, Postman, Replicate, Tailscale
//! - npm, PyPI, SendGrid, Shopify, Square, Twilio, DigitalOcean, Hugging Face, OpenAI, Anthropic,
//!   Telegram
//!
//! Public keys (Stripe's `pk_live_`) are not secrets.

/// A kind of key.
pub(in crate::audit) struct KeyPrefix {
    pub(in crate::audit) prefix: &'static str,
    /// The fewest characters that must follow: letters, digits, `-` and `_`.
    pub(in crate::audit) least: usize,
    pub(in crate::audit) service: &'static str,
    /// Whether words of a path may begin so, as in `/sk-slovensko`. Such a key must look random.
    pub(in crate::audit) is_wordlike: bool,
}

const fn key(prefix: &'static str, least: usize, service: &'static str) -> KeyPrefix {
    KeyPrefix { prefix, least, service, is_wordlike: false }
}

const fn wordlike(prefix: &'static str, least: usize, service: &'static str) -> KeyPrefix {
    KeyPrefix { prefix, least, service, is_wordlike: true }
}

/// The kinds of keys. A longer prefix comes before any shorter prefix that it begins with.
pub(in crate::audit) const KEYS: &[KeyPrefix] = &[
    key("AKIA", 16, "AWS"),
    key("ASIA", 16, "AWS"),
    key("AIza", 35, "Google"),
    key("ATATT3", 40, "Atlassian"),
    key("GOCSPX-", 20, "Google"),
    key("EAACEdEose0cBA", 20, "Facebook"),
    key("NRAK-", 27, "New Relic"),
    key("PMAK-", 40, "Postman"),
    wordlike("SG.", 22, "SendGrid"),
    wordlike("SK", 32, "Twilio"),
    key("dckr_pat_", 20, "Docker"),
    key("dop_v1_", 64, "DigitalOcean"),
    key("dp.pt.", 40, "Doppler"),
    key("dp.st.", 40, "Doppler"),
    key("figd_", 32, "Figma"),
    key("ghp_", 36, "GitHub"),
    key("gho_", 36, "GitHub"),
    key("ghu_", 36, "GitHub"),
    key("ghs_", 36, "GitHub"),
    key("ghr_", 36, "GitHub"),
    key("github_pat_", 22, "GitHub"),
    key("gldt-", 20, "GitLab"),
    key("glpat-", 20, "GitLab"),
    key("glptt-", 20, "GitLab"),
    key("glrt-", 20, "GitLab"),
    key("glsa_", 32, "Grafana"),
    wordlike("gsk_", 32, "Groq"),
    wordlike("hf_", 30, "Hugging Face"),
    key("hvb.", 20, "Vault"),
    key("hvs.", 20, "Vault"),
    key("lin_api_", 32, "Linear"),
    wordlike("npm_", 36, "npm"),
    wordlike("pypi-", 50, "PyPI"),
    wordlike("r8_", 37, "Replicate"),
    key("rk_live_", 24, "Stripe"),
    key("rk_test_", 24, "Stripe"),
    key("sk_live_", 24, "Stripe"),
    key("sk_test_", 24, "Stripe"),
    key("shpat_", 32, "Shopify"),
    key("shpca_", 32, "Shopify"),
    key("shppa_", 32, "Shopify"),
    key("shpss_", 32, "Shopify"),
    key("sk-ant-", 32, "Anthropic"),
    key("sk-proj-", 32, "OpenAI"),
    wordlike("sk-", 40, "OpenAI"),
    key("sq0atp-", 22, "Square"),
    key("sq0csp-", 40, "Square"),
    key("tskey-", 20, "Tailscale"),
    key("whsec_", 24, "Stripe"),
    key("xapp-", 20, "Slack"),
    key("xoxa-", 10, "Slack"),
    key("xoxb-", 10, "Slack"),
    key("xoxe-", 10, "Slack"),
    key("xoxp-", 10, "Slack"),
    key("xoxr-", 10, "Slack"),
    key("xoxs-", 10, "Slack"),
    key("ya29.", 20, "Google"),
];

/// Ends of names whose every value is a secret. A name is compared in lower case, without `_`, `-`,
/// `.` and brackets.
///
/// The sources (November 2026):
///
/// - the parameters of database drivers, OAuth 2.0 (RFC 6749) and OpenID Connect
/// - the signed URLs of AWS, Google and Azure
/// - the session ids of servlets, PHP and ASP
pub(in crate::audit) const ENDS: &[&str] = &[
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "pwd",
    "secret",
    "token",
    "apikey",
    "accesskey",
    "secretkey",
    "privatekey",
    "authkey",
    "sharedkey",
    "accountkey",
    "signingkey",
    "encryptionkey",
    "subscriptionkey",
    "sessionid",
    "sessid",
    "amzsignature",
    "googsignature",
    "sharedaccesssignature",
    "codeverifier",
];

/// Words that are such a name, or its last word.
pub(in crate::audit) const LAST_WORDS: &[&str] = &["pass", "passwort", "kennwort"];

/// First words of names whose last word is `key`, with any words between them (`access_x_key`).
pub(in crate::audit) const KEY_WORDS: &[&str] = &["api", "access", "secret", "private"];

/// Names or last words of names whose value must look like a secret.
pub(in crate::audit) const MAYBE_WORDS: &[&str] = &[
    "sig",
    "signature",
    "sid",
    "session",
    "auth",
    "authorization",
    "assertion",
    "samlresponse",
    "credentials",
    "hmac",
];

/// Words before `token` that make it a place in a list, or a unit of text: `page_token`,
/// `max_token`.
pub(in crate::audit) const HARMLESS_TOKENS: &[&str] = &[
    "page",
    "next",
    "nextpage",
    "previous",
    "prev",
    "continuation",
    "sync",
    "skip",
    "start",
    "starting",
    "delta",
    "resume",
    "marker",
    "cursor",
    "pagination",
    "max",
    "min",
    "stop",
    "special",
    "pad",
    "eos",
    "bos",
    "unk",
    "mask",
];

/// A service with URLs that are themselves secrets.
pub(in crate::audit) struct Hook {
    /// The host. Hosts below it match too.
    pub(in crate::audit) host: &'static str,
    /// The path before the secret. The rest of the path is the secret.
    pub(in crate::audit) path: &'static str,
    pub(in crate::audit) service: &'static str,
}

const fn hook(host: &'static str, path: &'static str, service: &'static str) -> Hook {
    Hook { host, path, service }
}

/// The services, from their own documentation of bots and incoming web hooks, November 2026.
pub(in crate::audit) const HOOKS: &[Hook] = &[
    hook("api.telegram.org", "/bot", "Telegram"),
    hook("api.telegram.org", "/file/bot", "Telegram"),
    hook("hooks.slack.com", "/services/", "Slack"),
    hook("hooks.slack.com", "/workflows/", "Slack"),
    hook("hooks.slack.com", "/triggers/", "Slack"),
    hook("discord.com", "/api/webhooks/", "Discord"),
    hook("discordapp.com", "/api/webhooks/", "Discord"),
    hook("webhook.office.com", "/webhookb2/", "Microsoft Teams"),
    hook("outlook.office.com", "/webhook/", "Microsoft Teams"),
    hook("hooks.zapier.com", "/hooks/catch/", "Zapier"),
    hook("open.feishu.cn", "/open-apis/bot/v2/hook/", "Feishu"),
];
