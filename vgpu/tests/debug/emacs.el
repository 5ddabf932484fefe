;; emacs.el: Emacs's dap-mode debugs $WORK/tiled with $DEBUGGER: a breakpoint, where it stops, its
;; locals, a step, the end. It prints a line for each; status 77 where there is no dap-mode.
(require 'package)
(package-initialize)
(unless (require 'dap-mode nil t)
  (kill-emacs 77))
(defvar dap-exception-breakpoints nil) ; dap-ui's, which wants windows
(setq dap-auto-configure-features nil
      make-backup-files nil
      dap-breakpoints-file (concat (getenv "WORK") "/breakpoints"))
(defvar happened nil)
(defun tell (&rest words)
  (push (car words) happened)
  (princ (concat (apply #'format words) "\n")))
(defun wait-for (what)
  (let ((until (+ (float-time) 30)))
    (while (and (not (member what happened)) (< (float-time) until))
      (accept-process-output nil 0.05)))
  (setq happened nil))
(add-hook 'dap-stack-frame-changed-hook
          (lambda (session)
            (let ((frame (dap--debug-session-active-frame session)))
              (when frame
                (tell "frame")
                (tell "at %s, line %d" (gethash "name" frame) (gethash "line" frame))))))
(add-hook 'dap-terminated-hook (lambda (_) (tell "terminated")))
(dap-register-debug-provider
 "vgpu"
 (lambda (c) (plist-put c :dap-server-path (list (getenv "DEBUGGER") "--dap"))))
(find-file (concat (getenv "HERE") "/tiled.cu"))
(goto-char (point-min))
(forward-line 28)
(dap-breakpoint-add)
(dap-debug (list :type "vgpu" :request "launch" :name "tiled"
                 :program (concat (getenv "WORK") "/tiled")))
(wait-for "frame")
(let ((session (dap--cur-session)))
  (dap-next session)
  (wait-for "frame")
  (dap--send-message
   (dap--make-request "evaluate" (list :expression "sum" :context "watch"))
   (lambda (answer) (tell "sum = %s" (gethash "result" (gethash "body" answer))))
   session)
  (wait-for "sum = %s")
  (dap-breakpoint-delete-all)
  (accept-process-output nil 0.3)
  (dap-continue session (dap--debug-session-thread-id session))
  (wait-for "terminated"))
