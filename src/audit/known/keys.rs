//! Keys of services that are known by their first letters, and names of values that are secrets (A-TOKEN).
//!
//! From the services' own documentation of their keys (AWS "IAM identifiers", GitHub "About authentication to GitHub", GitLab
//! "Token overview", Stripe "API keys", Slack "Token types", Google "API keys", npm, PyPI, SendGrid, Shopify, Square, Twilio,
//! DigitalOcean, Hugging Face, OpenAI, Anthropic, Telegram), November 2026. Public keys (Stripe's `pk_live_`) are none.

/// A kind of key.
pub(in crate::audit) struct KeyPrefix {
    pub(in crate::audit) prefix: &'static str,
    /// Letters, digits, `-` and `_` that follow at least.
    pub(in crate::audit) least: usize,
    pub(in crate::audit) service: &'static str,
}

const fn key(prefix: &'static str, least: usize, service: &'static str) -> KeyPrefix {
    KeyPrefix { prefix, least, service }
}

/// Longer prefixes before those that they begin with.
pub(in crate::audit) const KEYS: &[KeyPrefix] = &[
    key("AKIA", 16, "AWS"),
    key("ASIA", 16, "AWS"),
    key("AIza", 35, "Google"),
    key("GOCSPX-", 20, "Google"),
    key("EAACEdEose0cBA", 20, "Facebook"),
    key("SG.", 22, "SendGrid"),
    key("SK", 32, "Twilio"),
    key("dop_v1_", 64, "DigitalOcean"),
    key("ghp_", 36, "GitHub"),
    key("gho_", 36, "GitHub"),
    key("ghu_", 36, "GitHub"),
    key("ghs_", 36, "GitHub"),
    key("ghr_", 36, "GitHub"),
    key("github_pat_", 22, "GitHub"),
    key("glpat-", 20, "GitLab"),
    key("hf_", 30, "Hugging Face"),
    key("npm_", 36, "npm"),
    key("pypi-", 50, "PyPI"),
    key("rk_live_", 24, "Stripe"),
    key("sk_live_", 24, "Stripe"),
    key("shpat_", 32, "Shopify"),
    key("shpss_", 32, "Shopify"),
    key("sk-ant-", 32, "Anthropic"),
    key("sk-proj-", 32, "OpenAI"),
    key("sk-", 40, "OpenAI"),
    key("sq0atp-", 22, "Square"),
    key("sq0csp-", 40, "Square"),
    key("xapp-", 20, "Slack"),
    key("xoxa-", 10, "Slack"),
    key("xoxb-", 10, "Slack"),
    key("xoxe-", 10, "Slack"),
    key("xoxp-", 10, "Slack"),
    key("xoxr-", 10, "Slack"),
    key("xoxs-", 10, "Slack"),
];

/// The names of values that are taken for secrets where they look like one, in lower case.
pub(in crate::audit) const NAMES: &[&str] =
    &["token", "access_token", "api_key", "apikey", "secret", "password", "sig", "signature"];
