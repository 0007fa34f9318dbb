;;; almanac.el --- tides and lights in the mode line  -*- lexical-binding: t -*-

;; Author: Otto Brandt <otto@quill.example.com>
;; URL: https://elpa.example.org/almanac.html
;; Keywords: calendar

;;; Commentary:

;; The data come from <URL:http://tides.example.org/emacs/
;; almanac.eld>, once a day.  The manual is Info node `(almanac)Top',
;; or <URL:http://quill.example.com/almanac/manual/
; top.html> -- one semicolon is as good as two.
;; A manual page: `http://quill.example.com/almanac/man', and in the
;; new style ‘http://quill.example.com/almanac/man2’.

;;; Code:

(defcustom almanac-url "http://tides.example.org/emacs/almanac.eld?format=el"
  "Where the tides are, see URL `http://tides.example.org/emacs/'.
Anything that `url-retrieve' takes, e.g. \"file:///usr/share/tides.eld\".")

(defvar almanac-keymap '((:url . "ftp://ftp.quill.example.com/el/keys.el;type=a")
                         (:doc . nil)))         ; <URL:http://quill.example.com/
                                                ; keys>

(defun almanac-open (url &optional news)        ;;see <URL:http://quill.example.com/
  (browse-url (concat "http://" url "/emacs")))
;;open>

;;Local Variables: see <URL:info:emacs#File Variables> for how
;;they are read.
