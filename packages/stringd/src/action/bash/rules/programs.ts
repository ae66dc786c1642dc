/*
 * What is known of programs that a template runs. For a new one, ask in this order, and put it where the answer is yes (a
 * program may stand in several lists): does it run what it is given or what is piped into it (RUNNERS, or a file of its own here when
 * some ways of calling it do not)? do options of it (OPTIONED)? is what is piped into it data whatever it holds (FILTERS)? does it
 * write, name or unpack files under names of its own (the lists at the end)? One that stands nowhere takes fields as
 * arguments, and what is piped into it must not be a value.
 */

const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** Reserved words: as the name of a program they are quoted. */
export const KEYWORDS = words(
  'if then elif else fi time for in until while do done case esac coproc select function { } [[ ]] !',
)

/** What is piped into these is data, whatever it holds. */
export const FILTERS = words(`
  cat grep egrep fgrep head tail sort uniq cut tr wc tee column nl fold fmt rev tac paste join comm shuf expand unexpand
  base64 base32 xxd od hexdump md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum cksum sum
  gzip gunzip zcat bzip2 bunzip2 xz unxz zstd iconv strings split csplit tsort numfmt pr look dos2unix unix2dos
  jq yq xmllint tidy html2text curl http pbcopy xclip xsel wl-copy sponge pv ts less more bat espeak say figlet
  diff cmp sha1 md5
`)

/** They run what they are given, as an argument or by their input, or send it to something that does. */
export const RUNNERS = words(`
  ksh mksh zsh fish csh tcsh rc es elvish nu pwsh powershell cmd xonsh rbash busybox toybox
  parallel doas su runuser pkexec ionice chrt taskset stdbuf script flock watch entr expect unbuffer
  tmux screen dtach abduco at batch crontab systemd-run start-stop-daemon daemonize run-parts
  ssh mosh rsh rlogin telnet autossh sshpass chroot unshare nsenter fakeroot proot bwrap firejail setpriv capsh
  setarch linux32 linux64 cpulimit prlimit choom numactl faketime dbus-run-session xvfb-run xterm x-terminal-emulator
  strace ltrace gdb lldb valgrind perf rr make gmake bmake ninja just task rake ant scons bazel meson
  dc bc m4 ed ex vi vim nvim view emacs emacsclient nano
  sqlite3 psql mysql mariadb mongo mongosh redis-cli duckdb sqlplus
  gnuplot octave maxima gp sage ghc ghci runghc julia irb erl iex scala jshell groovy tclsh wish osascript
  nc ncat netcat socat ftp sftp lftp mail mailx s-nail mutt ansible ansible-playbook salt vagrant
  zgrep zegrep zfgrep xzgrep bzgrep npx bunx uvx pipx flatpak snap nix nix-shell guix direnv asdf mise wine git-shell
  elixir swift dart racket guile sbcl clisp R mlr xidel blender gimp soffice libreoffice vimdiff coreutils
  hyperfine watchexec nodemon concurrently pm2 srun mpirun mpiexec sbatch gosu tini rlwrap proxychains torsocks
  gnome-terminal konsole kitty alacritty wezterm foot gs sbt smbclient xdotool cmd.exe powershell.exe wsl wsl.exe
  ipython bpython jupyter clojure clj lein kotlin kotlinc nim crystal raku perl6 ocaml utop yash osh ysh oil posh ksh93 pdksh oksh
  gulp grunt mage invoke fab dotenv dotenvx aws-vault chamber doppler envchain with-contenv su-exec dumb-init catchsegv
  dbus-launch cgexec reflex chronic ifne vipe parallel-ssh pssh pdsh zellij lxc multipass chef-client puppet launchctl
  latexmk exim logrotate update-alternatives ssh-copy-id terminal-notifier cmake
`)

/** Programs with options that run others, and none that is known to take text: a field stands behind `--`. */
const OPTIONED_WITHOUT_TEXTS = words(`
  man more mpv sendmail rpm rpmspec dpkg apt apt-get apt-cache gcc g++ cc c++ clang clang++ ld go cargo mvn gradle
  helm nmap tcpdump tshark gpg svn hg cpio install groff troff nroff latex pdflatex xelatex lualatex tex pytest
  systemd-analyze ssh-keygen nm cowsay cowthink exiftool chromium chromium-browser google-chrome chrome brave rclone restic borg sshfs
`)

/** Options of these run programs; a field stands behind `--`, or behind one of the options here, which take text. */
export const OPTIONED: ReadonlyMap<string, RegExp> = new Map([
  ['split', /^(?:-[abCln]|--(?:suffix-length|bytes|lines|number))$/],
  ['sort', /^(?:-[bdfghiMnrRVsuz]*[ktoST]|--(?:key|field-separator|output|buffer-size|temporary-directory))$/],
  ['tar', /^(?:-?[cxtruAdzjJavpk]*f|-C|--(?:file|directory|exclude|strip-components|wildcards))$/],
  ['bsdtar', /^(?:-?[cxtruzjJavpk]*f|-C)$/],
  ['rsync', /^--(?:exclude|include|files-from|bwlimit)$/],
  ['rg', /^(?:-[A-Za-z]*[egtTmABCd]|--(?:regexp|glob|iglob|type|type-not|max-count|max-depth|context))$/],
  ['fd', /^(?:-[edtE]|--(?:extension|max-depth|type|exclude|base-directory))$/],
  ['fdfind', /^(?:-[edtE]|--(?:extension|max-depth|type|exclude|base-directory))$/],
  ['ag', /^-[GABCm]$/],
  ['ack', /^-[ABCm]$/],
  [
    'wget',
    /^(?:-[a-zA-Z]*[OPU]|--(?:output-document|directory-prefix|user-agent|header|post-data|body-data|timeout))$/,
  ],
  ['pandoc', /^(?:-[ftors]|--(?:from|to|output|metadata|variable|reader|writer)|-[MV])$/],
  ['bat', /^(?:-[lHr]|--(?:language|line-range|highlight-line))$/],
  ['batcat', /^(?:-[lHr]|--(?:language|line-range|highlight-line))$/],
  ['yt-dlp', /^(?:-[of]|--(?:output|format))$/],
  ['youtube-dl', /^(?:-[of]|--(?:output|format))$/],
  ['aria2c', /^(?:-[od]|--(?:out|dir))$/],
  ['fzf', /^(?:-[fqdn]|--(?:filter|query|delimiter|nth|with-nth|tiebreak))$/],
  ['less', /^-p$/],
  ['scp', /^-[Pi]$/],
  ['zip', /^-[xi]$/],
  ...[...OPTIONED_WITHOUT_TEXTS].map((name): [string, RegExp] => [name, /^(?!)$/]),
])

/** A name of a file may be a command for these: a field stands behind the beginning of a path. */
export const STARTED = words(
  'convert magick identify mogrify montage composite compare animate display import sox play rec',
)

/** Commands with commands of their own, and which of these run what they are given. */
export const SUBCOMMANDS: ReadonlyMap<string, RegExp> = new Map([
  ['docker', /^(?:run|exec|compose|container|buildx|build|create|plugin|stack|swarm)$/],
  ['podman', /^(?:run|exec|compose|container|build|create|machine)$/],
  ['kubectl', /^(?:exec|run|debug|plugin|attach|cp|kustomize)$/],
  ['npm', /^(?:exec|x|run|run-script|explore|edit|start|test|restart|stop|init|create|config|set|pkg|set-script)$/],
  ['pnpm', /^(?:exec|dlx|run|x|create|start|test|config|set)$/],
  ['yarn', /^(?:exec|dlx|run|node|create|start|test|config)$/],
  ['gh', /^(?:alias|extension|ext|config|codespace|cs)$/],
  ['ip', /^(?:netns|vrf)$/],
  ['adb', /^(?:shell|exec-out|exec-in)$/],
  ['op', /^(?:run|plugin)$/],
  ['fly', /^(?:ssh|console|machine)$/],
  ['flyctl', /^(?:ssh|console|machine)$/],
  ['gcloud', /^(?:compute|alpha|beta)$/],
  ['rails', /^(?:runner|r|console|c|dbconsole|db)$/],
  ['wp', /^(?:eval|eval-file|shell|cli|db)$/],
  ['brew', /^(?:ruby|irb|sh|bundle|services|command)$/],
])

/** Modules of Python that run what they are given. */
export const PYTHON_RUNNERS = words(
  'timeit pdb profile cProfile trace runpy code codeop doctest bdb idlelib unittest pytest',
)

/** Options that take a command, whatever the program. */
export const CODE_OPTION =
  /^--?(?:exec|execute|eval|command|cmd|run|shell|script|pager|editor|hook|plugin|preload|require|import|askpass|wrapper|post-renderer|on-[\w-]+|[\w-]+-(?:command|cmd|exec|hook|program|script|filter|renderer))$/

/** They make files of which nobody has said the names. */
export const UNPACKERS = words('gunzip bunzip2 unxz unzip uncompress 7z 7za unar pax cpio patch split csplit')

/** They make files whose names they are given, … */
export const NAMERS = words(
  'touch mkdir cp mv ln tee install rsync scp dd curl wget split csplit sort tar zip unzip mkfifo sed git ffmpeg convert',
)

/** … and these print what files are there. */
export const LISTERS = words(
  'ls dir vdir find gfind fd fdfind tree du stat file git realpath readlink basename dirname',
)

/** They write to the file that their last word names, or every word. */
export const WRITERS = words('tee cp mv ln install rsync scp dd')

/** They print the variables of the script. */
export const DUMPERS = words('env printenv set export declare typeset readonly local trap source .')
