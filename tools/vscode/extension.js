/*
 * extension.js: the debugger type `vgpu` of Visual Studio Code, and two commands for the lab whose
 * file is open. All the work is done by build/bin/vgpu-debug and ./grader.
 */
'use strict';

const fs = require('fs');
const path = require('path');
const vscode = require('vscode');

/* The folder of the workspace that an open file lies in, or the first. */
function folderOf(uri) {
    const own = uri && vscode.workspace.getWorkspaceFolder(uri);
    return own || (vscode.workspace.workspaceFolders || [])[0];
}

/* "lab3" where labs/lab3-tiled-square/lab3.cu is open. undefined: no lab is. */
function openLab() {
    const editor = vscode.window.activeTextEditor;
    const name = editor && path.basename(editor.document.fileName, '.cu');
    return name && /^lab\d+$/.test(name) && editor.document.fileName.endsWith('.cu')
        ? { name, folder: folderOf(editor.document.uri) }
        : undefined;
}

/* What Debug this lab launches: the same as in .vscode/launch.json. */
function labConfiguration(lab) {
    return {
        type: 'vgpu',
        request: 'launch',
        name: 'Debug this lab',
        program: '${workspaceFolder}/build/vgpu/debug/' + lab.name,
        args: ['32'],
        cwd: '${workspaceFolder}',
        preLaunchTask: 'build this lab for the debugger',
    };
}

function withLab(run) {
    return () => {
        const lab = openLab();
        if (!lab || !lab.folder) {
            vscode.window.showErrorMessage(
                'Open a lab first: the file labN.cu in one of the folders of labs.');
            return undefined;
        }
        return run(lab);
    };
}

/* Grades the lab with a film, and opens the page. */
async function film(lab) {
    const task = new vscode.Task(
        { type: 'shell', task: 'film' }, lab.folder, 'film of ' + lab.name, 'matmul',
        new vscode.ShellExecution('./grader', [lab.name, '--film'],
                                  { cwd: lab.folder.uri.fsPath }));
    const page = path.join(lab.folder.uri.fsPath, 'film-' + lab.name + '.html');
    const before = fs.existsSync(page) ? fs.statSync(page).mtimeMs : 0;
    const running = await vscode.tasks.executeTask(task);
    const ended = vscode.tasks.onDidEndTaskProcess((event) => {
        if (event.execution !== running)
            return;
        ended.dispose();
        if (fs.existsSync(page) && fs.statSync(page).mtimeMs > before)
            vscode.env.openExternal(vscode.Uri.file(page));
    });
}

const adapters = {
    createDebugAdapterDescriptor(session) {
        const folder = session.workspaceFolder || folderOf();
        const root = folder ? folder.uri.fsPath : process.cwd();
        const set = vscode.workspace.getConfiguration('vgpu').get('debugger');
        const command = path.resolve(root, set || 'build/bin/vgpu-debug');
        if (!fs.existsSync(command))
            throw new Error('There is no ' + command + ': "make vgpucc" builds it, and the ' +
                            'setting vgpu.debugger says where it is.');
        return new vscode.DebugAdapterExecutable(command, ['--dap'], { cwd: root });
    },
};

const configurations = {
    /* F5 without a launch.json. */
    resolveDebugConfiguration(folder, configuration) {
        if (configuration.type || configuration.request || configuration.name)
            return configuration;
        const lab = openLab();
        return lab ? labConfiguration(lab) : configuration;
    },
};

function activate(context) {
    context.subscriptions.push(
        vscode.debug.registerDebugAdapterDescriptorFactory('vgpu', adapters),
        vscode.debug.registerDebugConfigurationProvider('vgpu', configurations),
        vscode.commands.registerCommand('vgpu.debugLab', withLab(
            (lab) => vscode.debug.startDebugging(lab.folder, labConfiguration(lab)))),
        vscode.commands.registerCommand('vgpu.film', withLab(film)));
}

module.exports = { activate };
