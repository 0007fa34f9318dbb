"""Mail by Python's own mailbox and zipfile: forms.py FOLDER writes the same messages in each form that they support, and
reads them back. It prints a line of JSON per form: the file's name and its content, message by message."""

import email.message
import email.policy
import json
import mailbox
import os
import re
import sys
import zipfile

URL = re.compile(r"http://[a-z0-9./?=-]*[a-z0-9/]")


def messages():
    for number in range(24):
        message = email.message.EmailMessage(policy=email.policy.default)
        message["From"] = "joe@a.example"
        message["To"] = "jane@b.example"
        message["Date"] = "Sat, 21 Sep 1996 12:00:00 +0000"
        message["Message-ID"] = f"<{number}@forms.example>"
        text = f"see http://n{number}.example/x and\n>From here on http://m{number}.example/y/\n\nFromage: http://f{number}.example/\n"
        kind = number % 4
        if kind == 0:
            message.set_payload(text)
        elif kind == 1:
            message.set_content(text, cte="base64")
        elif kind == 2:
            message.set_content(text + "\u00e9 http://q.example/?a=b\n", cte="quoted-printable")
        else:
            message.set_content(text)
            message.add_attachment(b"\0\1\2 nothing", maintype="application", subtype="octet-stream")
        yield message


def urls(message):
    found = []
    for part in message.walk():
        if part.get_content_maintype() == "text":
            found += URL.findall((part.get_payload(decode=True) or b"").decode("utf-8", "replace"))
    return [message["Message-ID"].strip("<>"), found]


def tell(name, read):
    print(json.dumps([name, [urls(message) for message in read]]))


def main(folder):
    os.chdir(folder)
    kinds = {
        "box": mailbox.mbox,
        "mmdf": mailbox.MMDF,
        "rmail": mailbox.Babyl,
        "maildir": mailbox.Maildir,
        "mh": mailbox.MH,
    }
    for name, kind in kinds.items():
        box = kind(name, create=True)
        for message in messages():
            box.add(message)
        box.flush()
        box.close()
        read = kind(name, create=False)
        tell(name, sorted(read, key=lambda message: int(message["Message-ID"].split("@")[0][1:])))
    with open("box", "rb") as file:
        box = file.read()

    class Stream:
        """A file that cannot seek."""

        def __init__(self, file):
            self.write, self.flush = file.write, file.flush

    for name, method, is_streamed in [
        ("stored.zip", zipfile.ZIP_STORED, False),
        ("deflated.zip", zipfile.ZIP_DEFLATED, False),
        ("streamed.zip", zipfile.ZIP_DEFLATED, True),
        ("bzip2.zip", zipfile.ZIP_BZIP2, False),
    ]:
        with open(name, "wb") as file, zipfile.ZipFile(Stream(file) if is_streamed else file, "w", method) as out:
            out.writestr("folder/", b"")
            out.writestr("folder/box.mbox", box)
            with out.open("notes.txt", "w", force_zip64=True) as note:
                note.write(b"nothing here\n")
        with zipfile.ZipFile(name) as read, read.open("folder/box.mbox") as member, open("member", "wb") as out:
            out.write(member.read())
        tell(name, mailbox.mbox("member"))


main(sys.argv[1])
