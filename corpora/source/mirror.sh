#!/bin/sh
# mirror.sh: fetch what is new, keep what is old.
#
# Written after <URL:http://www.example.net/mirror/howto/
# cron.html>; the list of mirrors is at
#   <URL:ftp://ftp.fjord.example.net/pub/mirrors
#   #list>  (the second mark is the URL's, the first is ours)
##
## Two marks, and one below: <URL:http://www.example.net/mirror/
# faq>

BASE=https://mirror.example.org/pub
HOST=${1:-mirror.example.org}
export http_proxy=http://proxy.example.com:3128/ no_proxy="localhost"

get() {	# <URL:https://curl.example.org/docs/manpage.html
	# #-f>
	curl -fsS "https://$HOST/pub/$1" -o "$1" ||
	curl -fsS "http://${HOST}:8080/pub/$1" -o "$1"
}

for f in http://mirror.example.org/a{1,2,3}.tar.gz 'ftp://mirror.example.org/b*.tgz'; do
	get "${f#https://*/}"		#glued <URL:http://www.example.net/
					#sh/parameters.html>
done

wget -q -O- http://mirror.example.org/ls-lR.gz | gunzip -c > ls-lR	# a pipe ends it
echo "done: see file:///var/log/mirror.log" >&2; curl -u me:secret ftp://me:secret@ftp.example.org/in/ -T ls-lR
(cd /pub && rsync -a rsync://rsync.example.org/pub/. .)
git clone git@git.example.org:mirror.git || git clone ssh://git@git.example.org:2222/mirror.git
