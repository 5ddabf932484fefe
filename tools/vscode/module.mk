# module.mk: the extension for Visual Studio Code, packed.

VSIX ?= $(BUILD)/matmul-lab-kit.vsix

.PHONY: vsix need-zip
vsix: need-zip ## students: pack the extension for Visual Studio Code: the debugger of kernels in it
	@mkdir -p '$(dir $(VSIX))'
	@tools/vscode/pack '$(VSIX)' $(KIT_VERSION) && echo "packed $(VSIX)" && \
	    echo "install it: code --install-extension $(VSIX)"

need-zip:
	$(call needs,zip)
